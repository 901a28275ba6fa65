// SPDX-License-Identifier: Apache-2.0

/// What a link to a broker says. After `ended` it says nothing more.
enum BrokerNews {
    /// The broker took the login and can do what is needed.
    case up
    /// It took the subscription with this number.
    case subscribed(Int)
    /// It gave all that it keeps for the subscription with this number.
    case given(Int)
    /// It said that it has the message with this number.
    case stored(Int)
    /// A message came.
    case came(topic: String, payload: [UInt8])
    /// It refused something, the ask with this number if it was one, and the link goes on.
    case refused(BrokerTrouble, Int?)
    /// The link is over, or did not come about.
    case ended(BrokerTrouble)
}

/// One connection to a broker, whatever it speaks: it begins to connect when it is made, and ends
/// with its owner.
protocol BrokerLink: AnyObject {
    /// How far it came.
    var reached: BrokerReach { get }
    /// Seconds that the broker's certificate was good for when TLS stood; `nil` without TLS.
    var certificateLife: Int64? { get }
    /// Asks for the messages of a filter; those of this link itself may be left out unless
    /// `withOwn`.
    func subscribe(_ filter: String, _ token: Int, withOwn: Bool)
    /// Asks for them no longer.
    func unsubscribe(_ filter: String)
    /// Says something; with `stay`, it is kept for so many seconds.
    func publish(_ topic: String, _ payload: [UInt8], stay: Int64?, _ token: Int)
    /// Ends the link without a word.
    func close()
}
