import Protocol

/// By which layout the cabin is drawn, and by which seats are judged.
extension Agent {
    var cabin: CabinLayout { chosen ?? votes.first?.layout ?? .standard }

    var judged: (cabin: CabinLayout, isChosen: Bool)? {
        // The made-up cabin says nothing of an aeroplane, and takes no warning away.
        if let chosen, chosen.sure != .invented { return (chosen, true) }
        return votes.first.map { ($0.layout, false) }
    }

    func findCabin(_ id: String) throws(UserError) -> CabinLayout {
        try CabinShelf(options.place).find(id)
    }

    func use(_ layout: CabinLayout) throws(UserError) {
        if let stored = try StoredOptions.read(options.place) {
            try stored.with("cabin", layout.id).write(options.place)
        }
        chosen = layout
        recant()
        // Another command may be changing the list at this moment: this agent must not wait for it.
        _ = try? layout.keep(for: options.flight, options.place, patience: .zero)
    }
}
