//! Bytes cut into chunks, as a network may cut them.

/// A small generator of pseudo-random numbers (xorshift), so that a failing seed can be run again.
#[derive(Clone, Copy, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A way to cut: pieces of at most so many bytes, by the numbers of this seed.
#[derive(Clone, Copy, Debug)]
pub struct Cuts {
    largest: usize,
    seed: u64,
}

impl Cuts {
    pub fn whole() -> Self {
        Self { largest: usize::MAX, seed: 0 }
    }

    /// As a network does: a thousand bytes at most.
    pub fn small() -> Self {
        Self { largest: 1000, seed: 7 }
    }

    /// Each byte alone, small pieces and large ones, other ones for other bytes.
    pub fn some(bytes: &[u8]) -> [Self; 3] {
        let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let seed = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix);
        [1, 12, 400].map(|largest| Self { largest, seed })
    }

    pub fn of(self, bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
        let (mut random, mut rest) = (Random::new(self.seed), bytes);
        std::iter::from_fn(move || {
            let length = if self.largest == usize::MAX { rest.len() } else { 1 + random.below(self.largest) };
            let (piece, tail) = rest.split_at(rest.len().min(length));
            rest = tail;
            (!piece.is_empty()).then_some(piece)
        })
    }
}
