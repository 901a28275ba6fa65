// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text
import Web

/// What a guest's agent says of what they do: who does nothing makes room for others
/// (docs/page.md section 5).
enum GuestFacts {
    /// Asks the agent; nothing comes of it where it does not answer.
    static func ask(
        _ link: AgentLink?, inVenue: Bool, then: @escaping (GuestIdle.Facts) -> Void
    ) {
        guard let link else { return }
        let questions: [OperationName] =
            inVenue ? [.venue, .day, .forms] : [.status, .requests]
        ask(questions[...], of: link, []) { answers in
            let facts = inVenue ? self.inVenue(answers) : aboard(answers)
            if let facts { then(facts) }
        }
    }

    /// One question behind the other.
    private static func ask(
        _ questions: ArraySlice<OperationName>, of link: AgentLink, _ answers: [JSON],
        then: @escaping ([JSON]) -> Void
    ) {
        guard let first = questions.first else { return then(answers) }
        link.ask(ControlCall(operation: first, arguments: .object([:]))) { result in
            guard case .success(let said) = result else { return }
            ask(questions.dropFirst(), of: link, answers + [said], then: then)
        }
    }

    /// Of the answers to `status` and `requests`.
    static func aboard(_ answers: [JSON]) -> GuestIdle.Facts? {
        guard answers.count == 2, let seats = answers[0]["me"]?["seats"]?.list,
            let requests = answers[1]["requests"]?.list
        else { return nil }
        // Of what is not over, whatever wants no answer of the guest has their yes.
        let isYes = requests.contains { $0["needs_answer"]?.flag == false }
        return GuestIdle.Facts(hasSeat: !seats.isEmpty, hasOpenYes: isYes)
    }

    /// Of those to `venue`, `day` and `forms`: who is checked in, has a booking or waits for the
    /// desk stays, also who wants to become a member, and nobody needs a seat.
    static func inVenue(_ answers: [JSON]) -> GuestIdle.Facts? {
        guard answers.count == 3, let isIn = answers[0]["in"]?.flag,
            let own = answers[1]["own"]?.list, let asks = answers[1]["asks"]?.list,
            let forms = answers[2]["forms"]?.list
        else { return nil }
        let isApplying = forms.contains { form in
            form["kind"]?.text == "join" && ["waiting", "kept"].contains(form["state"]?.text)
        }
        return GuestIdle.Facts(
            hasSeat: true, hasOpenYes: isIn || !own.isEmpty || !asks.isEmpty || isApplying)
    }
}
