import CDNSSD
import CLate

/// Avahi's dns_sd library. It is loaded with the first reference.
enum DNSServiceLibrary {
    /// Loads it; what the loader says where that fails. The first call would end the process then.
    static func load() -> String? {
        if let why = late_load("libdns_sd") { return String(cString: why) }
        _ = beginsWithZeros
        return nil
    }

    /// Avahi up to 0.8 does not clear a reference that it makes. When the daemon or the bus goes, it
    /// calls the first of the reference's four callbacks that is not `NULL`: where something is looked
    /// up, that is whatever lay there before. So all memory that it asks for begins as zeros.
    private static let beginsWithZeros: Void = {
        // Another dns_sd library than Avahi's has no such part, and nothing to be mended.
        if late_load("libavahi-common") == nil { dnssd_begin_with_zeros() }
    }()
}
