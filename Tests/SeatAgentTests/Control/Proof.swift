// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Testing

@testable import ControlAPI
@testable import Text
@testable import System
@testable import Aviation

/// That the types of the socket say all that is printed: an answer or event, understood and written
/// again, is the same.
enum Proof {
    /// Holds what `op` answered against the type of its answer, and the question against its own.
    static func check(_ op: String, _ arguments: [String: JSON], _ result: JSON) {
        guard let name = OperationName(rawValue: op) else {
            Issue.record("\(op) has no type")
            return
        }
        do throws(JSONFault) {
            let again = try rewritten(name, arguments, result)
            #expect(again == result, "\(op): \(again.line) is not \(result.line)")
        } catch {
            Issue.record("\(op): \(error.sentence)")
        }
    }

    /// Holds an event against its type.
    static func check(event: JSON) {
        do throws(JSONFault) {
            let again = JSON(try ControlEvent(told: event))
            #expect(again == event, "\(again.line) is not \(event.line)")
        } catch {
            Issue.record("\(error.sentence): \(event.line)")
        }
    }

    private static func again<Operation: ControlOperation>(
        _ operation: Operation.Type, _ arguments: [String: JSON], _ result: JSON
    ) throws(JSONFault) -> JSON {
        _ = try Operation(asked: .object(arguments))
        return JSON(try Operation.Reply(told: result))
    }

    private static func later(
        _ name: OperationName, _ arguments: [String: JSON], _ result: JSON
    ) throws(JSONFault) -> JSON {
        if name == .hosting { return try again(Op.Hosting.self, arguments, result) }
        if name == .addPeer { return try again(Op.AddPeer.self, arguments, result) }
        if name == .rename { return try again(Op.Rename.self, arguments, result) }
        if name == .claim { return try again(Op.Claim.self, arguments, result) }
        if name == .release { return try again(Op.Release.self, arguments, result) }
        if name == .export { return try again(Op.Export.self, arguments, result) }
        if name == .takeKey { return try again(Op.TakeKey.self, arguments, result) }
        if name == .forget { return try again(Op.Forget.self, arguments, result) }
        if name == .game { return try again(Op.Game.self, arguments, result) }
        if name == .play { return try again(Op.Play.self, arguments, result) }
        if name == .silence { return try again(Op.Silence.self, arguments, result) }
        if name == .venue { return try again(Op.Venue.self, arguments, result) }
        if name == .checkIn { return try again(Op.CheckIn.self, arguments, result) }
        if name == .checkOut { return try again(Op.CheckOut.self, arguments, result) }
        if name == .friend { return try again(Op.Friend.self, arguments, result) }
        return try booked(name, arguments, result)
    }

    private static func booked(
        _ name: OperationName, _ arguments: [String: JSON], _ result: JSON
    ) throws(JSONFault) -> JSON {
        if name == .day { return try again(Op.Day.self, arguments, result) }
        if name == .days { return try again(Op.Days.self, arguments, result) }
        if name == .book { return try again(Op.Book.self, arguments, result) }
        if name == .giveBack { return try again(Op.GiveBack.self, arguments, result) }
        if name == .moveBooking { return try again(Op.MoveBooking.self, arguments, result) }
        if name == .withdrawAsk { return try again(Op.WithdrawAsk.self, arguments, result) }
        if name == .asked { return try again(Op.Asked.self, arguments, result) }
        if name == .bookings { return try again(Op.Bookings.self, arguments, result) }
        if name == .swapBookings { return try again(Op.SwapBookings.self, arguments, result) }
        if name == .bookingSwaps { return try again(Op.BookingSwaps.self, arguments, result) }
        if name == .wishBookings { return try again(Op.WishBookings.self, arguments, result) }
        if name == .bookingRings { return try again(Op.BookingRings.self, arguments, result) }
        if name == .answerSwap { return try again(Op.AnswerSwap.self, arguments, result) }
        if name == .sendForm { return try again(Op.SendForm.self, arguments, result) }
        if name == .forms { return try again(Op.Forms.self, arguments, result) }
        if name == .desk { return try again(Op.Desk.self, arguments, result) }
        if name == .deskOpen { return try again(Op.DeskOpen.self, arguments, result) }
        if name == .deskAway { return try again(Op.DeskAway.self, arguments, result) }
        if name == .deskAnswer { return try again(Op.DeskAnswer.self, arguments, result) }
        if name == .deskBook { return try again(Op.DeskBook.self, arguments, result) }
        if name == .deskBlock { return try again(Op.DeskBlock.self, arguments, result) }
        if name == .deskClose { return try again(Op.DeskClose.self, arguments, result) }
        if name == .deskPaid { return try again(Op.DeskPaid.self, arguments, result) }
        if name == .deskVisit { return try again(Op.DeskVisit.self, arguments, result) }
        if name == .deskLate { return try again(Op.DeskLate.self, arguments, result) }
        if name == .deskMember { return try again(Op.DeskMember.self, arguments, result) }
        if name == .deskMove { return try again(Op.DeskMove.self, arguments, result) }
        if name == .deskDecide { return try again(Op.DeskDecide.self, arguments, result) }
        if name == .deskBookings { return try again(Op.DeskBookings.self, arguments, result) }
        return try again(Op.DeskBackup.self, arguments, result)
    }

    private static func rewritten(
        _ name: OperationName, _ arguments: [String: JSON], _ result: JSON
    ) throws(JSONFault) -> JSON {
        let isDraft = arguments["draft"] == true
        return switch name {
        case .hello: try again(Op.Hello.self, arguments, result)
        case .status: try again(Op.Status.self, arguments, result)
        case .peers: try again(Op.Peers.self, arguments, result)
        case .seats: try again(Op.Seats.self, arguments, result)
        case .cabin: try again(Op.Cabin.self, arguments, result)
        case .useCabin: try again(Op.UseCabin.self, arguments, result)
        case .answerCabin: try again(Op.AnswerCabin.self, arguments, result)
        case .suggestCabin: try again(Op.SuggestCabin.self, arguments, result)
        case .suggestions: try again(Op.Suggestions.self, arguments, result)
        case .needs: try again(Op.Needs.self, arguments, result)
        case .setNeeds: try again(Op.SetNeeds.self, arguments, result)
        case .party: try again(Op.Party.self, arguments, result)
        case .newParty: try again(Op.NewParty.self, arguments, result)
        case .joinParty: try again(Op.JoinParty.self, arguments, result)
        case .inviteToParty: try again(Op.InviteToParty.self, arguments, result)
        case .answerParty: try again(Op.AnswerParty.self, arguments, result)
        case .sayToParty: try again(Op.SayToParty.self, arguments, result)
        case .removeFromParty: try again(Op.RemoveFromParty.self, arguments, result)
        case .trustParty: try again(Op.TrustParty.self, arguments, result)
        case .leaveParty: try again(Op.LeaveParty.self, arguments, result)
        case .who: try again(Op.Who.self, arguments, result)
        case .say: try again(Op.Say.self, arguments, result)
        case .message: try again(Op.Message.self, arguments, result)
        case .search: try again(Op.Search.self, arguments, result)
        case .log: try again(Op.Log.self, arguments, result)
        case .watch: try again(Op.Watch.self, arguments, result)
        case .wish: try again(Op.Wish.self, arguments, result)
        case .offer: try again(Op.Offer.self, arguments, result)
        case .withdraw: try again(Op.Withdraw.self, arguments, result)
        case .swap where isDraft: try again(Op.DraftSwap.self, arguments, result)
        case .swap: try again(Op.Swap.self, arguments, result)
        case .ring where isDraft: try again(Op.DraftRing.self, arguments, result)
        case .ring: try again(Op.Ring.self, arguments, result)
        case .together: try again(Op.Together.self, arguments, result)
        case .match: try again(Op.Match.self, arguments, result)
        case .propose where isDraft: try again(Op.DraftPropose.self, arguments, result)
        case .propose: try again(Op.Propose.self, arguments, result)
        case .requests: try again(Op.Requests.self, arguments, result)
        case .accept: try again(Op.Accept.self, arguments, result)
        case .decline: try again(Op.Decline.self, arguments, result)
        case .counter where isDraft: try again(Op.DraftCounter.self, arguments, result)
        case .counter: try again(Op.Counter.self, arguments, result)
        case .cancel: try again(Op.Cancel.self, arguments, result)
        case .force: try again(Op.Force.self, arguments, result)
        case .undo where isDraft: try again(Op.DraftUndo.self, arguments, result)
        case .undo: try again(Op.Undo.self, arguments, result)
        case .receipt: try again(Op.Receipt.self, arguments, result)
        case .seated: try again(Op.Seated.self, arguments, result)
        case .verify: try again(Op.Verify.self, arguments, result)
        case .compared: try again(Op.Compared.self, arguments, result)
        case .cancelVerify: try again(Op.CancelVerify.self, arguments, result)
        case .vouch: try again(Op.Vouch.self, arguments, result)
        case .block: try again(Op.Block.self, arguments, result)
        case .unblock: try again(Op.Unblock.self, arguments, result)
        case .stay: try again(Op.Stay.self, arguments, result)
        case .down: try again(Op.Down.self, arguments, result)
        case .hosting, .silence, .rename, .claim, .release, .export, .addPeer, .game, .play,
            .venue, .checkIn, .checkOut, .friend, .day, .days, .book, .giveBack, .swapBookings,
            .bookingSwaps, .answerSwap, .asked, .wishBookings, .bookingRings, .moveBooking,
            .withdrawAsk, .bookings, .sendForm, .forms, .desk, .deskOpen, .deskAway, .deskAnswer,
            .deskBook, .deskBlock, .deskClose, .deskPaid, .deskVisit, .deskLate, .deskMember,
            .deskMove, .deskDecide, .deskBookings, .deskBackup, .takeKey, .forget:
            try later(name, arguments, result)
        }
    }
}
