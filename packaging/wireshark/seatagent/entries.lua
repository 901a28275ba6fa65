-- SPDX-License-Identifier: Apache-2.0
-- Entries (docs/protocol.md section 8), and those of venues and ledgers (sections 31 and 32). A
-- part of seatagent.lua, which loads it; by itself it does nothing.

local rules = ...
if not rules then return end

-- Entries inside entries that are opened: one more than any that agents accept.
local NESTING_LIMIT = 3
local U63, U32 = 2 ^ 63 - 1, 2 ^ 32 - 1

local field, num, blob, words, flag = rules.field, rules.num, rules.blob, rules.words, rules.flag
local null_or, tuple, list, inside = rules.null_or, rules.tuple, rules.list, rules.inside
local by_first, show, wrong, range = rules.by_first, rules.show, rules.wrong, rules.range
local experts = rules.experts

local ENTRY_NAMES = {
    [0] = "genesis", [1] = "profile", [2] = "claim", [3] = "retract", [4] = "vote",
    [5] = "commit", [6] = "abandon", [7] = "chat", [9] = "vouch", [10] = "charter",
    [11] = "grant", [12] = "ledger-close", [13] = "desk-note", [15] = "end", [16] = "wish",
    [17] = "sealed", [18] = "seated", [19] = "hosting",
}

local function key(name) return blob(name, 32) end

local function seconds(name) return num(name, 0, U63) end

local thread, cid, token = blob("thread", 16), blob("cid", 32), blob("token", 32)
local name48, note = words("name", 1, 48), words("note", 0, 200)
local slot = tuple("slot", token, blob("producer", 32))
local own_slots = list("slots", slot, 0, 16, true)
local bare_seat = tuple(nil, num("row", 1, 255), num("column", 0, 25))

local function seat(cx, tree, node)
    local row, column = node.items and node.items[1], node.items and node.items[2]
    local branch = tree:add(range(cx, node), "seat")
    if row and column and row.kind == "number" and column.kind == "number"
        and column.value <= 25 then
        branch:append_text(": " .. row.value .. string.char(65 + column.value))
    end
    bare_seat(cx, branch, node)
end

local contract_inside = inside("contract", 1, 4096, tuple(nil, num("version", 1, 1),
    blob("flight_id", 32), key("coordinator"), blob("nonce", 16),
    list("parties", key("party"), 2, 8, true),
    list("legs", tuple("leg", token, blob("producer", 32), key("from"), key("to")), 2, 16, true)))

local entry_type = field(ProtoField.uint32, "entry_type", "entry type", base.DEC, ENTRY_NAMES)
local bodies, entry_rule = {}, nil

-- Those that other versions pass on whatever is in the array: what does not fit says nothing.
local FREE = { [18] = { "bytes", "flag" }, [19] = { "number", "bytes", "flag" } }

local function fits(kind, node)
    local kinds = FREE[kind]
    if not kinds or node.kind ~= "array" then return true end
    for index = 1, math.max(#kinds, node.value) do
        local item = node.items[index]
        if not item or item.kind ~= kinds[index] then return false end
    end
    return true
end

local function body(cx, tree, kind_node, node)
    if kind_node.kind ~= "number" then return wrong(cx, tree, kind_node, "type: no number") end
    local kind = kind_node.value
    if kind > 31 then return wrong(cx, tree, node, "type: no entry has such a number") end
    tree:add(entry_type, range(cx, kind_node), kind)
    local branch = tree:add(range(cx, node), ENTRY_NAMES[kind] or ("type " .. kind))
    if bodies[kind] and fits(kind, node) then return bodies[kind](cx, branch, node) end
    if kind < 16 then return wrong(cx, branch, node, "type: there is no such entry") end
    branch:add_proto_expert_info(experts.later)
    if node.kind ~= "array" then return wrong(cx, branch, node, "its body is no array") end
    show(cx, branch, node)
end

local head_rules = { num("version", 1, 1), blob("flight_id", 32), key("author"),
    num("seq", 1, "seq"), null_or("prev", blob("prev", 32)) }

local function payload(cx, tree, node)
    if node.kind ~= "array" or node.value ~= 7 then
        return wrong(cx, tree, node, "payload: an array of 7")
    end
    for index, rule in ipairs(head_rules) do rule(cx, tree, node.items[index]) end
    local kind, seq = node.items[6].value, node.items[4].value
    if (seq == 1) ~= (node.items[5].kind == "null") or (seq == 1) ~= (kind == 0) then
        wrong(cx, tree, nil, "seq 1, and only it, has no prev and is a genesis")
    end
    if cx.nesting == 1 then cx.kinds[#cx.kinds + 1] = ENTRY_NAMES[kind] or "entry" end
    body(cx, tree, node.items[6], node.items[7])
    -- Last, because entries inside this one say their own.
    if type(kind) == "number" and type(seq) == "number" then
        cx.said = (ENTRY_NAMES[kind] or "type " .. kind) .. ", seq " .. seq
    end
end

local payload_inside = inside("payload", 0, 16384, payload)
local protected, signature = blob("protected", 3), blob("signature", 64)

local function signed(cx, tree, node)
    if node.kind ~= "array" or node.value ~= 4 then
        return wrong(cx, tree, node, "entry: an array of 4")
    end
    local parts = node.items
    if parts[1].value ~= "\161\1\39" or parts[2].kind ~= "map" or parts[2].value ~= 0 then
        wrong(cx, tree, nil, "entry: another header than that of EdDSA")
    end
    protected(cx, tree, parts[1])
    cx.said = nil
    payload_inside(cx, tree, parts[3])
    if cx.said then tree:append_text(": " .. cx.said) end
    signature(cx, tree, parts[4])
end

local signed_inside = inside("entry", 1, 16384, signed)

function entry_rule(cx, tree, node)
    if cx.nesting >= NESTING_LIMIT then
        tree:add_proto_expert_info(experts.nested)
        return show(cx, tree, node)
    end
    cx.nesting = cx.nesting + 1
    signed_inside(cx, tree, node)
    cx.nesting = cx.nesting - 1
end

local function entries(name, low, high) return list(name, entry_rule, low, high) end

local seat_block = tuple("block", num("columns", 1, 67108863), num("first_row", 1, 255),
    num("last_row", 1, 255))
local period = tuple("period", num("day", 0, 65535), num("from_minute", 0, 1439),
    num("minutes", 1, 44640))
local wanted = tuple("want", num("place", 0, 4095),
    null_or("group", num("group", 0, 63)), period)

-- A block of seats on a flight; in a venue, the third is a window of time.
local function rank_item(cx, tree, node)
    local third = node.items and node.items[3]
    local rule = third and third.kind == "array" and wanted or seat_block
    rule(cx, tree, node)
end

local tag, no_tag = blob("tag", 16), null_or("tag", blob("tag", 16))
local ASKS = { [0] = "nothing", [1] = "like for like", [2] = "anything" }

bodies[0] = tuple(nil, name48, words("agent", 0, 48))
bodies[1] = tuple(nil, name48)
bodies[2] = tuple(nil, seat, num("flags", 0, 1, { [0] = "own", [1] = "for a dependant" }))
bodies[3] = tuple(nil, token, blob("producer", 32))

local vote_rule = tuple(nil, cid, flag("yes"), own_slots)

bodies[4] = function(cx, tree, node)
    vote_rule(cx, tree, node)
    local yes, slots = node.items and node.items[2], node.items and node.items[3]
    if yes and slots and slots.items and yes.value == (slots.value == 0) then
        wrong(cx, tree, nil, "a yes names slots, a no names none")
    end
end

bodies[5] = tuple(nil, contract_inside, entries("votes", 2, 8), entries("claims", 0, 16))
bodies[6] = tuple(nil, cid, entry_rule)
bodies[7] = tuple(nil, words("text", 0, 2048), null_or("reply_to", blob("reply_to", 32)),
    seconds("time"), list("after", blob("entry_id", 32), 0, 3, true))
bodies[9] = tuple(nil, key("key"), seat)
bodies[15] = tuple(nil)
bodies[16] = tuple(nil, list("offered", token, 0, 9, true),
    list("ranks", list("rank", rank_item, 1, 16), 0, 4), num("asks", 0, 2, ASKS), tag, note)
bodies[17] = tuple(nil, blob("nonce", 24), blob("sealed", 17, 2200))
bodies[18] = tuple(nil, cid, flag("sits"))
bodies[19] = tuple(nil, num("role", 0, 1), key("key"), flag("holds"))

---- Venues and ledgers (sections 31 and 32) -------------------------------------------------------

local place, ask_id = num("place", 1, 4095), blob("ask", 32)
local unit, group = num("unit", 0, 4095), num("group", 0, 63)

local ask_body = by_first("ask", {
    [0] = tuple("book", num("ask_kind", 0, 3), place, period, num("count", 1, 1000),
        flag("waits"), no_tag, note),
    [1] = tuple("give back", num("ask_kind", 0, 3), slot, null_or("key", key("key"))),
    [2] = tuple("move", num("ask_kind", 0, 3), slot, place, period),
    [3] = tuple("withdraw", num("ask_kind", 0, 3), ask_id),
})
local stay = tuple("stay", place, null_or("booking", blob("booking", 32)), seconds("since"),
    null_or("until", seconds("until")), no_tag)

local function later(cx, tree, node)
    tree:add_proto_expert_info(experts.later)
    show(cx, tree, node)
end

local STATEMENTS = { [0] = "ask", [1] = "stay", [2] = "answer" }
local statement_kind = num("statement_kind", 0, 2, STATEMENTS)
local statement_body = by_first("statement", {
    [0] = tuple(nil, statement_kind, blob("nonce", 8), seconds("until"), ask_body),
    [1] = tuple(nil, statement_kind, num("revision", 1, U32), stay),
    [2] = tuple(nil, statement_kind, key("asker"), ask_id, seconds("until"), seconds("at"),
        num("reason", 0, 31), num("waiting", 0, 999)),
}, later)
local statement = tuple(nil, key("author"), inside("statement", 1, 512, statement_body), signature)

local due = tuple("due", words("currency", 3, 3), num("amount", 0, U32))
local book_rules = tuple(nil, num("first_day", 0, 65535), num("last_day", 0, 65535),
    list("units", tuple("unit", unit, num("capacity", 1, 65535)), 1, 256),
    list("places", tuple("place", place, group, num("turnover", 0, 10080),
        list("uses", tuple("use", unit, num("amount", 1, 65535)), 1, 8)), 1, 256),
    list("classes", list("class", tuple("allowance", null_or("group", group),
        num("minutes", 0, 44640), num("bookings", 0, 255)), 0, 8), 1, 16), num("swaps", 0, 2))

bodies[10] = tuple(nil, num("epoch", 1, 255), num("revision", 1, 65535),
    inside("rules", 1, 6144, book_rules), blob("words", 32),
    list("before", tuple("ledger", key("ledger"), num("seq", 1, "seq")), 0, 8, true), signature)
bodies[11] = tuple(nil, key("holder"), num("member", 0, 65535), place, period,
    num("count", 1, 1000), null_or("due", due), num("flags", 0, 3), null_or("ask", ask_id),
    list("replaces", token, 0, 8, true), no_tag, note)
bodies[12] = tuple(nil, token, num("reason", 0, 6), flag("spent"),
    null_or("statement", inside("statement", 1, 1024, statement)))
bodies[13] = by_first("desk-note", {
    [0] = tuple(nil, num("desk_note", 0, 5), num("member", 1, 65535), num("class", 0, 15),
        null_or("key", key("key"))),
    [1] = tuple(nil, num("desk_note", 0, 5), ask_id, num("place", 1, 999)),
    [2] = tuple(nil, num("desk_note", 0, 5), token, num("paid", 0, U32), num("means", 0, 7)),
    [3] = tuple(nil, num("desk_note", 0, 5), token, num("what", 0, 2)),
    [4] = tuple(nil, num("desk_note", 0, 5), blob("lot", 16)),
    [5] = tuple(nil, num("desk_note", 0, 5), blob("lot_hash", 32)),
})

return {
    entry = entry_rule, entries = entries, contract = contract_inside, statement = statement,
}
