/// Counts the connections whose other end has proved nothing yet, so that strangers cannot take
/// all slots (protocol.md 4.3).
struct AcceptGate {
    private let perAddress: Int
    private let total: Int
    private var counts: [Address.Host: Int] = [:]
    private var sum = 0

    init(perAddress: Int, total: Int) {
        self.perAddress = perAddress
        self.total = total
    }

    /// Whether one more may come from this host; if so it is counted.
    mutating func admit(_ host: Address.Host) -> Bool {
        let count = counts[host, default: 0]
        guard sum < total, count < perAddress else { return false }
        counts[host] = count + 1
        sum += 1
        return true
    }

    /// One that was admitted is proven or over.
    mutating func release(_ host: Address.Host) {
        guard let count = counts[host] else { return }
        counts[host] = count == 1 ? nil : count - 1
        sum -= 1
    }
}
