-- SPDX-License-Identifier: Apache-2.0
-- The rules of a grammar: each looks at a node of CBOR and puts it into the tree, or says there
-- what is wrong. A part of seatagent.lua, which loads it; by itself it does nothing.

local read_whole = ...
if not read_whole then return end

local U32 = 2 ^ 32 - 1

---- Fields, and what is said of them --------------------------------------------------------------

local fields, known, made_by = {}, {}, {}

-- The field of this name; several messages share one.
local function field(make, name, title, ...)
    if not known[name] then
        local words = title or name:gsub("_", " ")
        known[name], made_by[name] = make("seatagent." .. name, words, ...), make
        fields[#fields + 1] = known[name]
    end
    assert(made_by[name] == make, name .. " is of two kinds")
    return known[name]
end

local experts = {
    length = ProtoExpert.new("seatagent.bad_length", "A frame of length 0 or over the limit",
        expert.group.MALFORMED, expert.severity.ERROR),
    malformed = ProtoExpert.new("seatagent.malformed", "Not as the protocol says",
        expert.group.MALFORMED, expert.severity.ERROR),
    even = ProtoExpert.new("seatagent.unsupported", "An unknown even type ends the connection",
        expert.group.PROTOCOL, expert.severity.WARN),
    odd = ProtoExpert.new("seatagent.ignored", "An unknown odd type is ignored",
        expert.group.UNDECODED, expert.severity.NOTE),
    later = ProtoExpert.new("seatagent.later", "Of a later agent: it says nothing to this one",
        expert.group.UNDECODED, expert.severity.NOTE),
    nested = ProtoExpert.new("seatagent.nested", "Entries inside each other: no more are opened",
        expert.group.UNDECODED, expert.severity.WARN),
    cut = ProtoExpert.new("seatagent.cut", "The capture has only the beginning of this frame",
        expert.group.UNDECODED, expert.severity.NOTE),
}

---- Rules -----------------------------------------------------------------------------------------

local function range(cx, node) return cx.tvb(cx.base + node.at, node.stop - node.at) end

local function content(cx, node) return cx.tvb(cx.base + node.body, node.stop - node.body) end

local any_bytes = field(ProtoField.bytes, "any_bytes", "bytes")
local any_text = field(ProtoField.string, "any_text", "text", base.UNICODE)

-- Whatever it is, as it stands.
local function show(cx, tree, node)
    if node.items then
        local branch = tree:add(range(cx, node), node.kind .. " of " .. node.value)
        for _, item in ipairs(node.items) do show(cx, branch, item) end
    elseif node.kind == "bytes" then
        tree:add(any_bytes, content(cx, node))
    elseif node.kind == "text" then
        tree:add_packet_field(any_text, content(cx, node), ENC_UTF_8)
    else
        tree:add(range(cx, node), node.kind == "null" and "null" or tostring(node.value))
    end
end

local function wrong(cx, tree, node, what)
    tree:add_proto_expert_info(experts.malformed, what)
    if node then show(cx, tree, node) end
end

local function limit(cx, high) return high == "seq" and cx.longest or high end

-- A number; `high` may be "seq", which is more in a venue.
local function num(name, low, high, names, title)
    local is_wide = high ~= "seq" and high > U32
    local make = is_wide and ProtoField.uint64 or ProtoField.uint32
    local item = field(make, name, title, base.DEC, names)
    return function(cx, tree, node)
        if node.kind ~= "number" or node.value < low or node.value > limit(cx, high) then
            return wrong(cx, tree, node, name .. ": a number that does not belong here")
        end
        if not is_wide then return tree:add(item, range(cx, node), node.value) end
        -- A double has no 63 bits, so the bytes are read again where they are many.
        local value = node.value < U32 and UInt64(node.value) or
            cx.tvb(cx.base + node.at + 1, node.stop - node.at - 1):uint64()
        tree:add(item, range(cx, node), value)
    end
end

local function blob(name, low, high, title)
    local item = field(ProtoField.bytes, name, title)
    return function(cx, tree, node)
        if node.kind ~= "bytes" or #node.value < low or #node.value > (high or low) then
            return wrong(cx, tree, node, name .. ": bytes of another length, or no bytes")
        end
        tree:add(item, content(cx, node))
    end
end

local function words(name, low, high, title)
    local item = field(ProtoField.string, name, title, base.UNICODE)
    return function(cx, tree, node)
        if node.kind ~= "text" or #node.value < low or #node.value > high then
            return wrong(cx, tree, node, name .. ": text of another length, or no text")
        end
        tree:add_packet_field(item, content(cx, node), ENC_UTF_8)
    end
end

local function flag(name)
    local item = field(ProtoField.bool, name)
    return function(cx, tree, node)
        if node.kind ~= "flag" then return wrong(cx, tree, node, name .. ": true or false") end
        tree:add(item, range(cx, node), node.value)
    end
end

local function null_or(name, rule)
    return function(cx, tree, node)
        if node.kind ~= "null" then return rule(cx, tree, node) end
        tree:add(range(cx, node), name:gsub("_", " ") .. ": null")
    end
end

-- An array of these, in a branch of its own if it has a name.
local function tuple(name, ...)
    local rules = { ... }
    return function(cx, tree, node)
        if node.kind ~= "array" or node.value ~= #rules then
            return wrong(cx, tree, node, (name and name .. ": " or "") .. "an array of " .. #rules)
        end
        local branch = name and tree:add(range(cx, node), name) or tree
        for index, rule in ipairs(rules) do rule(cx, branch, node.items[index]) end
    end
end

local function sort_key(node)
    while node and node.items do node = node.items[1] end
    return node and node.kind == "bytes" and node.value or nil
end

-- A list; with `sorted`, by the bytes of the first byte string, without repetition.
local function list(name, rule, low, high, sorted)
    return function(cx, tree, node)
        if node.kind ~= "array" or node.value < low or node.value > high then
            return wrong(cx, tree, node, name .. ": a list of " .. low .. " to " .. high)
        end
        local branch = tree:add(range(cx, node), name .. ": " .. node.value)
        local last
        for _, item in ipairs(node.items) do
            rule(cx, branch, item)
            local key = sorted and sort_key(item)
            if last and key and key <= last then
                wrong(cx, branch, nil, name .. ": not sorted, or said twice")
            end
            last = key or last
        end
    end
end

-- An array whose first number says which; `other` for every other one.
local function by_first(name, rules, other)
    return function(cx, tree, node)
        local first = node.kind == "array" and node.items[1]
        local rule = first and first.kind == "number" and rules[first.value] or other
        if not rule then return wrong(cx, tree, node, name .. ": nothing that is known") end
        rule(cx, tree, node)
    end
end

-- Bytes of a fixed size with numbers and bytes at fixed places: `{ field, size }`.
local function packed(name, ...)
    local parts, size = { ... }, 0
    for _, part in ipairs(parts) do size = size + part[2] end
    return function(cx, tree, node)
        if node.kind ~= "bytes" or #node.value ~= size then
            return wrong(cx, tree, node, name .. ": " .. size .. " bytes")
        end
        local branch, at = tree:add(content(cx, node), name), cx.base + node.body
        for _, part in ipairs(parts) do
            branch:add(part[1], cx.tvb(at, part[2]))
            at = at + part[2]
        end
    end
end

-- A byte string that holds a CBOR text of its own.
local function inside(name, low, high, rule)
    return function(cx, tree, node)
        if node.kind ~= "bytes" or #node.value < low or #node.value > high then
            return wrong(cx, tree, node, name .. ": bytes of another length, or no bytes")
        end
        local branch = tree:add(content(cx, node), name)
        local inner, fault = read_whole(cx.text, node.body, node.stop)
        if inner then return rule(cx, branch, inner) end
        wrong(cx, branch, node, name .. ": " .. fault)
    end
end

return {
    fields = fields, known = known, field = field, experts = experts, num = num, blob = blob,
    words = words, flag = flag, null_or = null_or, tuple = tuple, list = list, by_first = by_first,
    packed = packed, inside = inside, show = show, wrong = wrong, range = range,
}
