// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Owner
import Protocol
import Text
import Venues

/// `seatagent venue join`: tells the desk of a venue, and nobody else, who the user is.
struct VenueJoining {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// How often a question is asked again.
    private static let tries = 3

    func join(_ slug: String) throws(UserError) -> ExitCode {
        let known = try VenueAgent.arriving(call, slug)
        let venue = known.venue
        guard venue.hasBookings else {
            throw UserError(
                .notAllowedNow, "nobody joins \(visible(venue.name, cells: 40))",
                why: "nothing is booked there",
                advice: "seatagent venue open \(ShellWord.quoted(venue.slug))")
        }
        guard venue.rules.join != .open else {
            return call.finish(
                ["joined": true], ["\(visible(venue.name)) takes everybody: nobody has to join."])
        }
        let (agent, _) = try known.ensure()
        if let done = try joined(agent) { return done }
        // All is checked before anything is sent.
        let answers = try self.answers(venue)
        let client = try watching(agent)
        let form = try client.ask(
            Op.SendForm(
                kind: .join,
                fields: answers.fields.map { Op.SendForm.Field(number: $0.number, text: $0.text) })
        ).reply
        return try follow(form, client, agent)
    }

    /// Who has joined is welcomed back; `nil` for all others.
    private func joined(_ agent: VenueAgent) throws(UserError) -> ExitCode? {
        let known = try agent.ask(Op.Forms()).reply
        guard let member = known.member else { return nil }
        return call.finish(
            JSON(known), [JoinText.welcomeBack(agent.venue, member: member) + "."])
    }

    // MARK: Answers

    private func answers(_ venue: Venue) throws(UserError) -> JoinAnswers {
        var answers = JoinAnswers(venue)
        let details = try OwnerDetails.read(call.place)
        var given: [JoinField: String] = [:]
        for field in JoinField.allCases { given[field] = call.line.value(field.word) }
        if given[.name] == nil { given[.name] = details[.name] }
        if given[.mail] == nil { given[.mail] = details[.mail] }
        for field in JoinField.allCases {
            // What the profile says of somebody is not asked for everywhere.
            let isAsked = answers.wanted.contains(field) || answers.optional.contains(field)
            guard let text = given[field], isAsked || call.line.value(field.word) != nil else {
                continue
            }
            try take(field, text, &answers, venue)
        }
        if answers.next != nil, call.mayAsk { call.say(JoinText.consent(venue)) }
        while let field = answers.next {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "your \(field.word) is missing",
                    why: "\(visible(venue.name, cells: 40)) asks for it",
                    advice: Self.line(venue, answers))
            }
            try ask(field, &answers)
        }
        return answers
    }

    /// The whole line with what was answered well, and samples of what is wanted beside.
    private static func line(_ venue: Venue, _ answers: JoinAnswers) -> String {
        let options = JoinField.allCases.filter {
            answers[$0] != nil || answers.wanted.contains($0)
        }.map { field in
            "--\(field.word) " + ShellWord.quoted(answers[field] ?? answers.sample(field))
        }
        return (["seatagent venue join", ShellWord.quoted(venue.slug)] + options)
            .joined(separator: " ")
    }

    private func take(
        _ field: JoinField, _ text: String, _ answers: inout JoinAnswers, _ venue: Venue
    ) throws(UserError) {
        do throws(FormFault) {
            try answers.take(field, text)
        } catch {
            throw UserError(
                .usage, "nothing was sent", why: error.sentence,
                advice: Self.line(venue, answers))
        }
    }

    private func ask(_ field: JoinField, _ answers: inout JoinAnswers) throws(UserError) {
        var why = ""
        for _ in 0..<Self.tries {
            call.session.console.prompt(field.question + " ")
            guard let line = call.session.console.readLine() else { break }
            do throws(FormFault) {
                return try answers.take(field, line)
            } catch {
                why = error.sentence
                call.note(why)
            }
        }
        throw UserError(
            .usage, "nothing was sent", why: why.isEmpty ? "your \(field.word) is missing" : why,
            advice: "seatagent help venue")
    }

    // MARK: The desk

    private func watching(_ agent: VenueAgent) throws(UserError) -> ControlClient {
        let client = try ControlClient(
            agent.place.socket, deadline: call.deadline(standard: AskWait.patience))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
        return client
    }

    private func follow(
        _ form: FormFacts, _ client: ControlClient, _ agent: VenueAgent
    ) throws(UserError) -> ExitCode {
        var known = form
        do throws(UserError) {
            while true {
                let told = try client.ask(Op.Forms()).reply
                known = told.forms.first { $0.id == form.id } ?? known
                if let member = told.member {
                    return call.finish(
                        JSON(told),
                        [
                            JoinText.welcome(
                                agent.venue, member: member, memberClass: told.memberClass) + "."
                        ])
                }
                if known.state.known == .refused || known.state.known == .unknown {
                    throw UserError(
                        .declined, "the desk of \(visible(agent.venue.name, cells: 40)) says no",
                        why: visible(known.text, cells: 200),
                        advice: "seatagent help venue")
                }
                guard try client.nextEvent() != nil else { break }
            }
        } catch {
            guard error.code == .timeout else { throw error }
        }
        let isKept = known.state.known == .kept
        call.say(
            isKept
                ? "The desk has your form. Its people look at it: show your card there."
                : "Your form waits for the desk, which is away. It goes there by itself.")
        if call.json { call.session.console.out(ControlReply.done(JSON(known)).line) }
        call.hint("Look again: seatagent venue join \(ShellWord.quoted(agent.venue.slug))")
        return ErrorCode.timeout.exit
    }
}
