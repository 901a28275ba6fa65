// SPDX-License-Identifier: Apache-2.0
// The first line of a script is strict for all files that are packed into it.
'use strict';
