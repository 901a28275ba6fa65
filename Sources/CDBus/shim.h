// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dbus/dbus.h>

/* Swift imports no macro with a cast in it. */
static inline int dbus_kind_text(void) { return DBUS_TYPE_STRING; }
static inline int dbus_kind_path(void) { return DBUS_TYPE_OBJECT_PATH; }
static inline int dbus_kind_number(void) { return DBUS_TYPE_UINT32; }
static inline int dbus_kind_double(void) { return DBUS_TYPE_DOUBLE; }
static inline int dbus_kind_variant(void) { return DBUS_TYPE_VARIANT; }
static inline int dbus_kind_entry(void) { return DBUS_TYPE_DICT_ENTRY; }
