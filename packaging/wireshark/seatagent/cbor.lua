-- SPDX-License-Identifier: Apache-2.0
-- CBOR as docs/protocol.md section 5 has it: deterministic, and nothing else. A part of
-- seatagent.lua, which loads it; by itself it does nothing.

local DEPTH_LIMIT, ITEM_LIMIT = 8, 4096

-- The least and the greatest second byte of UTF-8 after a first one, and how many follow in all.
local function utf8_lead(byte)
    if byte >= 0xC2 and byte <= 0xDF then return 1, 0x80, 0xBF end
    if byte == 0xE0 then return 2, 0xA0, 0xBF end
    if byte == 0xED then return 2, 0x80, 0x9F end
    if byte >= 0xE1 and byte <= 0xEF then return 2, 0x80, 0xBF end
    if byte == 0xF0 then return 3, 0x90, 0xBF end
    if byte >= 0xF1 and byte <= 0xF3 then return 3, 0x80, 0xBF end
    if byte == 0xF4 then return 3, 0x80, 0x8F end
end

local function is_utf8(text)
    local at = 1
    while at <= #text do
        local byte = text:byte(at)
        if byte >= 0x80 then
            local count, low, high = utf8_lead(byte)
            if not count then return false end
            for offset = 1, count do
                local next_byte = text:byte(at + offset)
                if not next_byte or next_byte < low or next_byte > high then return false end
                low, high = 0x80, 0xBF
            end
            at = at + count
        end
        at = at + 1
    end
    return true
end

local KINDS = { [0] = "number", [2] = "bytes", [3] = "text", [4] = "array", [5] = "map" }
local SIMPLE = { [20] = false, [21] = true }
local WIDTHS = { [24] = 1, [25] = 2, [26] = 4, [27] = 8 }
local LEAST = { [24] = 24, [25] = 2 ^ 8, [26] = 2 ^ 16, [27] = 2 ^ 32 }

-- The head at `at`: its major type, its number and the place behind it; or nil and what is wrong.
local function read_head(text, at, stop)
    if at >= stop then return nil, "it ends in the middle" end
    local first = text:byte(at)
    local major, info = math.floor(first / 32), first % 32
    if info < 24 then return major, info, at + 1 end
    local width = WIDTHS[info]
    if not width then return nil, "a head that is not of definite length" end
    if at + 1 + width > stop then return nil, "it ends in the middle" end
    if major == 7 then return nil, "a float or another simple value" end
    local number = 0
    for place = at + 1, at + width do number = number * 256 + text:byte(place) end
    if number < LEAST[info] then return nil, "a number that is not in its shortest form" end
    -- A double cannot tell the greatest from one more.
    if width == 8 and text:byte(at + 1) >= 0x80 then return nil, "a number over 2^63 - 1" end
    return major, number, at + 1 + width
end

local read_item

local function read_items(text, node, state, depth)
    if depth > DEPTH_LIMIT then return nil, "more than 8 arrays and maps inside each other" end
    local count = node.value * (node.kind == "map" and 2 or 1)
    if count > node.limit - node.stop then return nil, "it ends in the middle" end
    node.items = {}
    for index = 1, count do
        local item, wrong = read_item(text, node.stop, node.limit, state, depth)
        if not item then return nil, wrong end
        if node.kind == "map" and index % 2 == 1 then
            if item.kind ~= "number" then return nil, "a key that is no number" end
            local last = node.items[index - 2]
            if last and last.value >= item.value then return nil, "keys that do not ascend" end
        end
        node.items[index], node.stop = item, item.stop
    end
    return node
end

-- The item at `at`, which ends before `stop`; or nil and what is wrong.
function read_item(text, at, stop, state, depth)
    state.items = state.items + 1
    if state.items > ITEM_LIMIT then return nil, "more than 4096 items" end
    local major, number, behind = read_head(text, at, stop)
    if not major then return nil, number end
    local node = { at = at, body = behind, stop = behind, limit = stop, value = number }
    if major == 7 then
        if number == 22 then node.kind = "null" return node end
        node.kind, node.value = "flag", SIMPLE[number]
        if node.value == nil then return nil, "a simple value that is not allowed" end
        return node
    end
    node.kind = KINDS[major]
    if not node.kind then return nil, "a negative number or a tag" end
    if major == 0 then return node end
    if major >= 4 then return read_items(text, node, state, depth + 1) end
    if number > stop - behind then return nil, "it ends in the middle" end
    node.stop = behind + number
    node.value = text:sub(behind, node.stop - 1)
    if major == 3 and not is_utf8(node.value) then return nil, "text that is not UTF-8" end
    return node
end

-- The one item that fills `text` from `at` to before `stop`; or nil and what is wrong.
local function read_whole(text, at, stop)
    local node, wrong = read_item(text, at, stop, { items = 0 }, 0)
    if node and node.stop ~= stop then return nil, "bytes after the end" end
    return node, wrong
end

return read_whole
