//! What stands around the turns of a batch.
//!
//! May touch: what its parent may.
use super::{Id, Label, Map, Value, names, record, unless_zero};

names!(
    /// The unit that a variant sticks to.
    #[allow(missing_docs)]
    Unit {
        User = "user",
        Session = "session",
        Page = "page",
    }
);

record!(
    /// The page that a batch comes from.
    #[allow(missing_docs)]
    Page {
        id: Option<Id> = "id",
        route: Id = "route",
        engine: Id = "engine",
        clock_resolution: f64 = "clockResolution",
    }
);

record!(
    /// Which software measured, and how much of it was running.
    #[allow(missing_docs)]
    Sdk {
        version: Id = "version",
        mode: Mode = "mode",
    }
);

names!(
    /// How much of the software was running.
    #[allow(missing_docs)]
    Mode {
        Full = "full",
        Degraded = "degraded",
    }
);

record!(
    /// A variant that was shown.
    #[allow(missing_docs)]
    Exposure {
        experiment: Label = "experiment",
        variant: Label = "variant",
        unit: Unit = "unit",
    }
);

record!(
    /// Everything of a batch but its turns.
    #[allow(missing_docs)]
    Envelope {
        schema: Schema = "schema",
        sdk: Sdk = "sdk",
        sent_at: f64 = "sentAt",
        /// Number of this batch of the page, so that the receiver can count what was lost.
        seq: u32 = "seq",
        /// Turns of the page that no batch will bring, so far.
        lost: u32 = "lost" by unless_zero,
        page: Page = "page",
        session: Option<Id> = "session",
        attributes: Map<Label, Value> = "attributes",
        variants: Vec<Exposure> = "variants",
    }
);

names!(
    /// The version of the contract.
    #[derive(Default)]
    Schema {
        /// The first one.
        #[default]
        V1 = "chat-vitals/1",
    }
);
