-- SPDX-License-Identifier: Apache-2.0
-- What agents say to each other (docs/protocol.md), for Wireshark 4.0 or newer. README.md beside
-- this file says how to use it. Every byte may be hostile: each is looked at before it counts.

local seatagent = Proto("seatagent", "Seatagent")

local FRAME_LIMIT = 65536
local FLIGHT_SEQ, VENUE_SEQ = 4096, 32768
local U63, U32 = 2 ^ 63 - 1, 2 ^ 32 - 1

local here = debug.getinfo(1, "S").source:gsub("^@", ""):match("^(.*[/\\])") or ""

local function part(name, ...)
    local chunk, fault = loadfile(here .. "seatagent/" .. name)
    return assert(chunk, fault)(...)
end

local read_whole = part("cbor.lua")
local rules = part("rules.lua", read_whole)
local entry_rules = part("entries.lua", rules)

local known, experts, packed, wrong = rules.known, rules.experts, rules.packed, rules.wrong
local field, num, blob, words = rules.field, rules.num, rules.blob, rules.words
local null_or, tuple, list = rules.null_or, rules.tuple, rules.list
local entry_rule, entries = entry_rules.entry, entry_rules.entries
local contract_inside, statement = entry_rules.contract, entry_rules.statement

local function key(name) return blob(name, 32) end

local thread, cid, note = blob("thread", 16), blob("cid", 32), words("note", 0, 200)
local signature = blob("signature", 64)

---- Messages (the grammar in docs/protocol.cddl) --------------------------------------------------

local CLOSES = {
    [0] = "leaving", "noCommonFlight", "otherFoldVersion", "noCommonVersion", "badLength",
    "badPayload", "unsupported", "unexpected", "badEntry", "tooMuch", "tooSlow", "silent",
    "duplicate", "resting", "full", "keyRunsTwice", "notNeeded",
}
local WITHDRAWN = { [0] = "cancelled", "expired", "failed", "lapsed" }
local RELAY_ENDS = { [0] = "closed", "notLinked", "full", "refused", "spent" }
local SAS_ENDS = { [0] = "cancelled", "mismatch", "expired", "busy", "wrong" }
local PUSHED = { [0] = "pushed", "answer", "last of an answer" }
local FORM_STATES = { [0] = "kept", "admitted", "refused", "unknown" }

local function hello_map(cx, tree, node)
    local rules = cx.hello
    if node.kind ~= "map" or node.value ~= #rules then
        return wrong(cx, tree, node, "hello: a map of 8")
    end
    for index, rule in ipairs(rules) do
        local name, value = node.items[index * 2 - 1], node.items[index * 2]
        if name.value ~= index - 1 then return wrong(cx, tree, node, "hello: keys 0 to 7") end
        rule(cx, tree, value)
    end
    cx.fold = node.items[4].value
end

local HELLO = { tuple("minor versions", num("lowest", 0, 255), num("highest", 0, 255)),
    num("fold_version", 0, 255), blob("boot", 8), num("connection", 0, U63),
    num("max_frame", 4096, 2 ^ 30), num("port", 0, 65535),
    list("proofs", blob("proof", 16), 1, 4), num("features", 0, U63) }

local head = tuple("head", key("author"), num("seq", 0, "seq"), blob("entry_id", 32))
local U16 = ProtoField.uint16
local frontier_item = packed("log", { known.author, 32 }, { field(U16, "log_seq"), 2 },
    { field(ProtoField.bytes, "head8"), 8 }, { field(U16, "k"), 2 })
local revision32 = field(ProtoField.uint32, "mark_revision")
local mark = packed("mark", { known.author, 32 }, { revision32, 4 },
    { field(ProtoField.bytes, "sha256"), 32 })
local stay_mark = packed("stay-mark", { known.author, 32 }, { revision32, 4 },
    { field(ProtoField.bytes, "statement_id"), 32 })
local ask_mark = packed("ask-mark", { known.asker, 32 }, { known.statement_id, 32 })

-- 64 digests, or a part of the list of one bucket.
local function buckets(name, item)
    local digests = list("digests", blob("digest", 32), 64, 64)
    local part = tuple(nil, num("bucket", 0, 63), null_or("after", key("after")),
        null_or("last", key("last")), list(name, item, 0, 512, true))
    return function(cx, tree, node)
        local is_part = node.items and node.items[1] and node.items[1].kind == "number"
        local rule = is_part and part or digests
        rule(cx, tree, node)
    end
end

local expires, circuit = num("expires", 1, 86400), num("circuit", 0, 2147483648)
local attempt, revision = blob("attempt", 16), num("revision", 1, U32)
local proposed = tuple(nil, thread, revision, contract_inside, note, expires)

local hint = tuple("hint", key("key"), words("host", 0, 45), num("port", 0, 65535),
    num("linked", 0, 1))

local MESSAGES = {
    [0] = { "HELLO", hello_map },
    [2] = { "HELLO_ACK", tuple(nil, num("minor", 0, 255), num("matched", 0, 3)) },
    [4] = { "FRONTIER", tuple(nil, blob("logs", 32), blob("map", 32),
        null_or("frontier", list("frontier", frontier_item, 0, 1024, true)),
        num("partial", 0, 1)) },
    [6] = { "WANT", tuple(nil, num("budget", 1, 262144), list("stretches",
        tuple("stretch", key("author"), num("first", 1, "seq"), num("last_seq", 1, "seq")),
        1, 64)) },
    [8] = { "ENTRIES", tuple(nil, num("entries_kind", 0, 2, PUSHED), entries("entries", 0, 64)) },
    [9] = { "LAZY", tuple(nil) },
    [10] = { "FORKPROOF", tuple(nil, entry_rule, entry_rule) },
    [11] = { "HAVE", list("logs", tuple("log", key("author"), num("seq", 1, "seq")), 1, 64) },
    [13] = { "PEX", list("hints", hint, 1, 64) },
    [14] = { "PING", tuple(nil, num("number", 0, U63)) },
    [15] = { "PONG", tuple(nil, num("number", 0, U63)) },
    [16] = { "SAS_START", tuple(nil, attempt, num("method", 0, 255), blob("commitment", 32)) },
    [17] = { "SAS_END", tuple(nil, attempt, num("sas_reason", 0, 4, SAS_ENDS)) },
    [18] = { "SAS_NONCE", tuple(nil, attempt, blob("sas_nonce", 32)) },
    [20] = { "SAS_OPEN", tuple(nil, attempt, blob("opened", 32)) },
    [22] = { "SAS_MAC", tuple(nil, attempt, blob("mac", 32)) },
    [24] = { "PROPOSE", proposed },
    [26] = { "READY", tuple(nil, thread, cid, head) },
    [28] = { "DECLINE", tuple(nil, thread, revision, note) },
    [30] = { "WITHDRAW", tuple(nil, thread, num("withdraw_reason", 0, 3, WITHDRAWN)) },
    [32] = { "PREPARE", tuple(nil, thread, contract_inside, list("heads", head, 2, 8, true)) },
    [34] = { "VOTE", tuple(nil, entries("entries", 1, 32)) },
    [36] = { "CERT", tuple(nil, contract_inside, entries("votes", 2, 8),
        entries("claims", 0, 16)) },
    [38] = { "QUERY", tuple(nil, cid) },
    [40] = { "STATUS", tuple(nil, cid, entries("votes", 0, 16)) },
    [42] = { "DM", tuple(nil, blob("dm_id", 16), words("text", 0, 2048)) },
    [44] = { "DM_ACK", tuple(nil, blob("dm_id", 16)) },
    [46] = { "CLOSE", tuple(nil, num("close", 0, 65535, CLOSES), words("text", 0, 128)) },
    [48] = { "ASK", tuple(nil, thread, contract_inside, note, expires, head) },
    [49] = { "RELAY_OPEN", tuple(nil, circuit, key("key"), num("incoming", 0, 1)) },
    [51] = { "RELAY_READY", tuple(nil, circuit) },
    [53] = { "RELAY_DATA", tuple(nil, circuit, blob("relayed", 1, 16384)) },
    [55] = { "RELAY_TOOK", tuple(nil, circuit, num("took", 1, 65536)) },
    [57] = { "RELAY_END", tuple(nil, circuit, num("relay_reason", 0, 4, RELAY_ENDS)) },
    [61] = { "LAYOUT", tuple(nil, key("author"), revision, signature, blob("layout", 0, 4096)) },
    [63] = { "LAYOUTS", tuple(nil, blob("digest", 32),
        null_or("marks", list("marks", mark, 0, 64, true))) },
    [65] = { "FORM", tuple(nil, blob("form_id", 16), num("form_kind", 1, 15), list("answers",
        tuple("answer", num("question", 0, 255), words("text", 0, 254)), 0, 16)) },
    [67] = { "FORM_ACK", tuple(nil, blob("form_id", 16), num("state", 0, 3, FORM_STATES),
        words("text", 0, 200)) },
    [69] = { "VENUE_MARK", tuple(nil, num("words_revision", 0, 65535), blob("hash", 32)) },
    [71] = { "VENUE", tuple(nil, num("words_revision", 1, 65535), signature,
        blob("line", 2, 8192)) },
    [73] = { "STATEMENT", statement },
    [75] = { "STATEMENTS", buckets("stay-marks", stay_mark) },
    [77] = { "ASKS", buckets("ask-marks", ask_mark) },
    [79] = { "SUMMARY", tuple(nil, blob("logs", 32), blob("map", 32),
        blob("log_digests", 512)) },
    [81] = { "PEX_CHANGE", list("hints", hint, 0, 64) },
}

---- Frames (section 5) ----------------------------------------------------------------------------

local TYPE_NAMES = {}
for number, message in pairs(MESSAGES) do TYPE_NAMES[number] = message[1] end

local frame_length = field(ProtoField.uint32, "length")
local frame_type = field(ProtoField.uint8, "type", "type", base.DEC, TYPE_NAMES)
local frame_payload = field(ProtoField.bytes, "payload")

seatagent.fields = rules.fields
seatagent.experts = experts

local stream_number = Field.new("tcp.stream")
-- The fold version by connection: a venue's logs are longer than a flight's.
local folds = {}

function seatagent.init() folds = {} end

-- A frame of which all is there; what stands in the list of packets about it.
local function dissect_frame(tvb, tree, at, length, stream)
    local kind = tvb(at + 4, 1):uint()
    local name = TYPE_NAMES[kind] or ("type " .. kind)
    local top = tree:add(seatagent, tvb(at, 4 + length), "Seatagent, " .. name)
    top:add(frame_length, tvb(at, 4))
    top:add(frame_type, tvb(at + 4, 1))
    local message = MESSAGES[kind]
    if not message then
        top:add_proto_expert_info(kind % 2 == 1 and experts.odd or experts.even)
        if length > 1 then top:add(frame_payload, tvb(at + 5, length - 1)) end
        return name
    end
    local text = length > 1 and tvb:raw(at + 5, length - 1) or ""
    local node, fault = read_whole(text, 1, #text + 1)
    if not node then
        top:add_proto_expert_info(experts.malformed, "payload: " .. fault)
        if length > 1 then top:add(frame_payload, tvb(at + 5, length - 1)) end
        return name .. " (malformed)"
    end
    -- Places in `text` count from 1.
    local cx = { tvb = tvb, base = at + 4, text = text, nesting = 0, kinds = {}, hello = HELLO,
        longest = folds[stream] == 2 and FLIGHT_SEQ or VENUE_SEQ }
    message[2](cx, top, node)
    if kind == 0 and stream then folds[stream] = cx.fold or folds[stream] end
    if #cx.kinds > 0 and #cx.kinds <= 4 then
        name = name .. " [" .. table.concat(cx.kinds, " ") .. "]"
    elseif #cx.kinds > 4 then
        name = name .. " [" .. #cx.kinds .. " entries]"
    end
    return name
end

-- Frames of several TLS records can be in one packet, and this is called for each.
local function say(pinfo, names)
    if #names == 0 then return end
    local before = pinfo.private.seatagent
    local all = (before and before .. ", " or "") .. table.concat(names, ", ")
    pinfo.private.seatagent = all
    pinfo.cols.info:set(all)
end

function seatagent.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol:set("Seatagent")
    local at, size, names = 0, tvb:len(), {}
    local stream = stream_number()
    stream = stream and stream.value
    while at < size do
        local left = size - at
        local length = left >= 4 and tvb(at, 4):uint() or nil
        if length and (length == 0 or length > FRAME_LIMIT) then
            local top = tree:add(seatagent, tvb(at), "Seatagent, no frame")
            top:add(frame_length, tvb(at, 4))
            top:add_proto_expert_info(experts.length)
            if left > 4 then top:add(frame_payload, tvb(at + 4)) end
            names[#names + 1], at = "bad length", size
        elseif not length or left < 4 + length then
            if tvb:reported_len() > size then
                local top = tree:add(seatagent, tvb(at), "Seatagent, cut")
                top:add_proto_expert_info(experts.cut)
                at = size
                break
            end
            pinfo.desegment_offset = at
            pinfo.desegment_len = length and 4 + length - left or DESEGMENT_ONE_MORE_SEGMENT
            break
        else
            names[#names + 1] = dissect_frame(tvb, tree, at, length, stream)
            at = at + 4 + length
        end
    end
    say(pinfo, names)
    return size
end

-- Ports are chosen anew at each start, so TLS says by ALPN what it carries (section 4).
DissectorTable.get("tls.alpn"):add("seatswap/1", seatagent)
-- For frames without TLS: vectors, and what other programs wrote down.
DissectorTable.get("tcp.port"):add_for_decode_as(seatagent)
