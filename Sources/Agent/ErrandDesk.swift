// SPDX-License-Identifier: Apache-2.0
import Brokers
import CLinux
import ControlAPI
import Discovery
import Doctor
import GeoClue
import Glibc
import Keys
import Launch
import Profile
import Protocol
import Store
import System
import Text
import Transport

/// Runs errands for commands while no agent runs.
struct ErrandDesk {
    let environment: [String: String]

    /// Reads one ``Errand`` from standard input and prints the answer.
    func run() -> ExitCode {
        // Whoever asked may hold the profile's lock: without it, nothing goes on with the files.
        _ = linux_end_with_parent(SIGKILL)
        do throws(UserError) {
            let errand = try AgentProgram.read(Errand.self, try AgentProgram.line(from: 0))
            // They may have ended before that was said.
            guard getppid() == errand.asker else { return .failed }
            let place = try ProfilePlace(
                profile: try ProfileName(errand.profile), environment: Self.variables(errand))
            StandardStream.out((["result": try answer(errand, place)] as JSON).line)
            return .done
        } catch {
            StandardStream.out((["error": error.json] as JSON).line)
            return error.code.exit
        }
    }

    private func answer(_ errand: Errand, _ place: ProfilePlace) throws(UserError) -> JSON {
        let files = FlightFiles(place: place)
        switch errand.job {
        case .files: return KeptFlights.json(files.all())
        case .delete:
            // Only flights of this profile, so that nobody can delete another file this way; also
            // one that cannot be read any more.
            guard let path = errand.path, files.isPlace(path) else {
                throw UserError(.file, "that is no flight of this profile")
            }
            files.delete(path)
            return .null
        case .earlier:
            let options = try AgentOptions(errand.values ?? [:], place: place, foreground: false)
            return EarlierRecords.read(options).map { JSON($0) } ?? .null
        case .moving:
            guard let path = errand.path, files.isPlace(path) else {
                throw UserError(.file, "that is no flight of this profile")
            }
            return try LeftFlight.read(path).json
        case .export: return .array(files.all().map(FlightExport.json))
        case .examine: return JSON(examine(errand))
        case .venues: return JSON(try venues(errand))
        case .meet: return JSON(try meet(errand, place))
        case .position: return JSON(try position())
        case .bring:
            guard let brought = errand.brought else {
                throw UserError(.badRequest, "there is no key to store")
            }
            try FlightStore.bring(brought, to: place)
            return .null
        }
    }

    private func position() throws(UserError) -> PositionReport {
        do throws(GeoClueFault) {
            let fix = try GeoClue.position(environment: environment)
            return PositionReport(
                latitude: fix.latitude, longitude: fix.longitude, accuracy: fix.accuracy)
        } catch {
            throw error.error()
        }
    }

    private static func variables(_ errand: Errand) -> [String: String] {
        var variables: [String: String] = [:]
        for text in errand.places {
            guard let equals = text.firstIndex(of: "=") else { continue }
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return variables
    }

    /// Looks around until the search says that nothing more comes.
    private func venues(_ errand: Errand) throws(UserError) -> VenuesHere {
        let search = VenueSearch(interface: errand.interface)
        search.start(now: SystemClock.now().nanoseconds)
        while !search.isDone, let deadline = search.nextDeadline {
            let ready = Polling.wait(
                for: search.descriptors, until: Instant(nanoseconds: deadline))
            let now = SystemClock.now().nanoseconds
            for descriptor in ready { search.readable(descriptor, now: now) }
            search.tick(now: now)
        }
        let found = search.result
        if let trouble = found.trouble {
            throw UserError(
                .networkTrouble, "venues on this network cannot be found", why: trouble.why,
                advice: trouble.remedy)
        }
        return VenuesHere(found.venues, unread: found.unread)
    }

    private func meet(
        _ errand: Errand, _ place: ProfilePlace
    ) throws(UserError) -> ExaminationReport {
        let address = try MeetAddress(parsing: errand.url ?? "")
        // Whoever asks may never have started an agent.
        try PrivateFile.makeDirectory(place.stateDirectory)
        let setup = try BrokerPool.Setup(address, of: place)
        guard let primitives = AgentPrimitives(), let loop = try? EventLoop() else {
            throw UserError(.failed, "the meeting point cannot be tried", why: "no memory")
        }
        let trial = MeetingPointTrial(setup, loop: loop, primitives: primitives)
        let verdict = trial.facts(random: SodiumPrimitives.random32).verdict
        return ExaminationReport(
            diagnosis: verdict.json, lines: verdict.lines, error: verdict.error)
    }

    private static func page(at port: UInt16) -> PageFact {
        let numbers = ProfilePlace.guestNumbers
        return PageFact(
            port: port,
            guests: ProfilePlace.port(
                ofGuest: numbers.lowerBound)...ProfilePlace.port(ofGuest: numbers.upperBound))
    }

    private func examine(_ errand: Errand) -> ExaminationReport {
        var examination = Examination(
            interface: errand.interface, port: errand.port,
            typed: (errand.typed ?? []).compactMap { try? Address(parsing: $0) },
            network: errand.network, path: environment["PATH"] ?? "",
            page: errand.pagePort.map(Self.page))
        examination.withheld = errand.withheld ?? 0
        let diagnosis = examination.facts().diagnosis
        return ExaminationReport(
            diagnosis: diagnosis.json, lines: diagnosis.lines, error: diagnosis.error)
    }
}
