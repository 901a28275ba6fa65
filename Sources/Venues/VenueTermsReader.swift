// SPDX-License-Identifier: Apache-2.0
import Text

extension VenueClass {
    /// Reads all classes. Throws for the first fault.
    static func read(
        _ form: FormReader, groups: [Venue.Group], hasMoney: Bool
    ) throws(FormFault) -> [VenueClass] {
        var classes: [VenueClass] = []
        let items = try form.objects(
            "classes", VenueKeys.classes, count: 1...VenueLimits.classes)
        for (index, item) in items.enumerated() {
            let one = try VenueClass(item, groups: groups)
            guard !classes.contains(where: { $0.name == one.name }) else {
                throw item.fault("name", "another class has that name")
            }
            let isLast = index == items.count - 1
            let isForAll = one.mail == nil && one.number == nil && one.proof == nil
            if isLast, !isForAll {
                throw item.fault(
                    "name", "the last class is for everybody: it has no mail, number or proof")
            }
            if !isLast, isForAll {
                throw item.fault(
                    "name", "mail, number or proof is wanted: only the last is for everybody")
            }
            if one.price != nil, !hasMoney {
                throw item.fault("price", "a price needs a currency: money is missing")
            }
            classes.append(one)
        }
        return classes
    }

    private init(_ form: FormReader, groups: [Venue.Group]) throws(FormFault) {
        name = try form.text("name", bytes: VenueLimits.name)
        mail = try VenuePattern(form, "mail")
        number = try VenuePattern(form, "number")
        if let mail, mail.text.split(separator: "@", omittingEmptySubsequences: false).count != 2 {
            throw form.fault("mail", "an address with one @ is wanted, as S#####@example.edu")
        }
        proof = try form.optionalWord("proof")
        price = try Price(form.object("price", VenueKeys.price))
        var quota: [Quota] = []
        for item in try form.objects("quota", VenueKeys.quota, count: 0...VenueLimits.few) {
            let one = try Quota(item)
            if let group = one.group, !groups.contains(where: { $0.key == group }) {
                throw item.fault("group", "groups has no \(visible(group, cells: 24))")
            }
            guard !quota.contains(where: { $0.group == one.group }) else {
                throw item.fault("group", "there is a quota for it already")
            }
            quota.append(one)
        }
        self.quota = quota
    }
}

extension VenuePattern {
    init?(_ form: FormReader, _ key: String) throws(FormFault) {
        guard let text = try form.optionalText(key, bytes: VenueLimits.text) else { return nil }
        guard let pattern = VenuePattern(text) else {
            throw form.fault(
                key, "a pattern of 1 to 80 ASCII characters is wanted: # a digit, ? any character")
        }
        self = pattern
    }
}

extension VenueClass.Quota {
    fileprivate init(_ form: FormReader) throws(FormFault) {
        group = try form.optionalText("group", bytes: VenueLimits.text)
        minutes = try form.optionalNumber("minutes", 1...VenueLimits.period)
        bookings = try form.optionalNumber("bookings", 1...255)
        guard minutes != nil || bookings != nil else {
            throw form.fault("minutes", "minutes or bookings a day are wanted")
        }
    }
}

extension VenueClass.Price {
    fileprivate init?(_ form: FormReader?) throws(FormFault) {
        guard let form else { return nil }
        let hour = try form.optionalNumber("hour", 1...VenueLimits.amount)
        let day = try form.optionalNumber("day", 1...VenueLimits.amount)
        switch (hour, day) {
        case (let hour?, nil): self = .hour(hour)
        case (nil, let day?): self = .day(day)
        case (nil, nil), (_?, _?):
            throw form.fault("hour", "either hour or day is wanted, in cents or the like")
        }
    }
}

extension VenueMoney {
    init?(_ form: FormReader?) throws(FormFault) {
        guard let form else { return nil }
        currency = try form.text("currency", bytes: VenueLimits.text)
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ 65...90 ~= $0 }) else {
            throw form.fault("currency", "three capital letters as EUR are wanted")
        }
        account = try Account(form)
        link = try Venue.link(form, "link")
        let minutes = try form.optionalNumber("payBy", -VenueLimits.notice...VenueLimits.notice)
        guard minutes != 0 else {
            throw form.fault(
                "payBy", "minutes are wanted: -30 before the start, 60 after the booking")
        }
        payBy = minutes
    }
}

extension VenueMoney.Account {
    fileprivate init?(_ form: FormReader) throws(FormFault) {
        let payto = try form.optionalText("payto", bytes: VenueLimits.text)
        let iban = try form.optionalText("iban", bytes: VenueLimits.text)
        let payee = try form.optionalText("payee", bytes: VenueLimits.name)
        if let payto {
            guard iban == nil, payee == nil else {
                throw form.fault("payto", "either payto is wanted, or iban and payee")
            }
            guard payto.hasPrefix("payto://"), payto.utf8.allSatisfy({ 33...126 ~= $0 }) else {
                throw form.fault("payto", "a link is wanted that begins with payto://")
            }
            self = .payto(payto)
            return
        }
        guard let iban else {
            guard payee == nil else { throw form.fault("iban", "it is missing beside payee") }
            return nil
        }
        guard let payee else { throw form.fault("payee", "it is missing beside iban") }
        guard Self.isIBAN(iban) else {
            throw form.fault(
                "iban", "its check digits do not fit: an account number without blanks is wanted")
        }
        self = .iban(iban, payee: payee)
    }

    /// ISO 13616: the country and two check digits stand in front, and all of it is 1 modulo 97.
    static func isIBAN(_ text: String) -> Bool {
        let units = Array(text.utf8)
        guard 15...34 ~= units.count, units.prefix(2).allSatisfy({ 65...90 ~= $0 }),
            units[2...3].allSatisfy({ 48...57 ~= $0 }),
            units.allSatisfy({ 48...57 ~= $0 || 65...90 ~= $0 })
        else { return false }
        let rest = (units[4...] + units[..<4]).reduce(0) { rest, unit in
            let value = 48...57 ~= unit ? Int(unit) - 48 : Int(unit) - 55
            return (rest * (value > 9 ? 100 : 10) + value) % 97
        }
        return rest == 1
    }
}

extension VenueRules {
    init(_ whole: FormReader) throws(FormFault) {
        guard let form = try whole.object("rules", VenueKeys.rules) else {
            throw whole.fault("rules", "it is missing: {\"join\": \"open\"} is the least")
        }
        join = try form.word("join")
        swaps = try form.optionalWord("swaps") ?? .none
        ahead = try form.optionalNumber("ahead", 0...VenueLimits.ahead)
        notice = try form.optionalNumber("notice", 1...VenueLimits.notice)
        cancel = try form.optionalNumber("cancel", 0...VenueLimits.notice)
        arrive = try form.optionalNumber("arrive", 1...1440)
        waiting = try form.flag("waiting")
        together = try form.optionalNumber("together", 1...255)
        member = try form.optionalWord("member")
    }
}
