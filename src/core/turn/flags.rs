//! What a reader of a turn's numbers has to know.
//!
//! May touch: `wire` enumerations.
use super::super::wire::Flag;

/// Flags of a turn, as a set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags(u16);

impl Flags {
    const ALL: [Flag; 11] = [
        Flag::Hidden,
        Flag::Offscreen,
        Flag::ClockGap,
        Flag::LateInstall,
        Flag::AnswerNotFound,
        Flag::Truncated,
        Flag::Malformed,
        Flag::Unfinished,
        Flag::AbortIgnored,
        Flag::StopIgnored,
        Flag::BodyOutOfReach,
    ];

    /// Raises a flag.
    pub fn raise(&mut self, flag: Flag) {
        self.0 |= 1 << flag as u16;
    }

    /// The flags that are up.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Self::ALL.into_iter().filter(move |flag| self.0 & (1 << *flag as u16) != 0)
    }
}
