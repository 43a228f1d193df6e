//! Integer types of C and the two data models.

/// Which sizes the types have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits.
    Ilp32,
    /// `int` of 32 bits, `long` and pointers of 64 bits.
    #[default]
    Lp64,
}

impl DataModel {
    /// Bits of `long` and of a pointer.
    pub fn long_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The name as users write it.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        }
    }
}

/// The rank of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of C")]
pub enum Rank {
    Bool,
    Char,
    Short,
    Int,
    Long,
    LongLong,
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntType {
    /// Its rank.
    pub rank: Rank,
    /// Whether it has negative values.
    pub signed: bool,
    /// Its width.
    pub bits: u32,
}

impl IntType {
    /// `int`
    pub const INT: IntType = IntType {
        rank: Rank::Int,
        signed: true,
        bits: 32,
    };
    /// `_Bool`
    pub const BOOL: IntType = IntType {
        rank: Rank::Bool,
        signed: false,
        bits: 1,
    };
    /// Mathematical integers, as far as anything here can count: offsets inside objects.
    pub const EXACT: IntType = IntType {
        rank: Rank::LongLong,
        signed: true,
        bits: 120,
    };
    /// `char`
    pub const CHAR: IntType = IntType {
        rank: Rank::Char,
        signed: true,
        bits: 8,
    };

    /// The signed type of this rank in a data model; truth values have no sign.
    pub fn signed(rank: Rank, model: DataModel) -> IntType {
        let bits = match rank {
            Rank::Bool => 1,
            Rank::Char => 8,
            Rank::Short => 16,
            Rank::Int => 32,
            Rank::Long => model.long_bits(),
            Rank::LongLong => 64,
        };
        IntType {
            rank,
            signed: rank != Rank::Bool,
            bits,
        }
    }

    /// The unsigned type of this rank in a data model.
    pub fn unsigned(rank: Rank, model: DataModel) -> IntType {
        IntType {
            signed: false,
            ..IntType::signed(rank, model)
        }
    }

    /// `size_t`
    pub fn size(model: DataModel) -> IntType {
        IntType::unsigned(Rank::Long, model)
    }

    /// `ptrdiff_t`
    pub fn difference(model: DataModel) -> IntType {
        IntType::signed(Rank::Long, model)
    }

    /// The least and the greatest value.
    pub fn range(self) -> (i128, i128) {
        if self.signed {
            (-(1i128 << (self.bits - 1)), (1i128 << (self.bits - 1)) - 1)
        } else {
            (0, (1i128 << self.bits) - 1)
        }
    }

    /// Whether the type has this value.
    pub fn holds(self, value: i128) -> bool {
        let (least, greatest) = self.range();
        least <= value && value <= greatest
    }

    /// A value converted to the type: modulo its size, or its truth for `_Bool`.
    pub fn convert(self, value: i128) -> i128 {
        if self.rank == Rank::Bool {
            return i128::from(value != 0);
        }
        let reduced = value.rem_euclid(1i128 << self.bits);
        if self.signed && reduced > self.range().1 {
            reduced - (1i128 << self.bits)
        } else {
            reduced
        }
    }

    /// The type after integer promotion.
    pub fn promoted(self) -> IntType {
        if self.rank < Rank::Int {
            IntType::INT
        } else {
            self
        }
    }

    /// The common type of two operands.
    pub fn common(self, other: IntType) -> IntType {
        let (a, b) = (self.promoted(), other.promoted());
        if a.signed == b.signed {
            return if a.rank >= b.rank { a } else { b };
        }
        let (signed, unsigned) = if a.signed { (a, b) } else { (b, a) };
        if unsigned.rank >= signed.rank {
            unsigned
        } else if signed.bits > unsigned.bits {
            signed
        } else {
            IntType {
                signed: false,
                ..signed
            }
        }
    }

    /// The type as it is written in C.
    pub fn name(self) -> String {
        let base = match self.rank {
            Rank::Bool => return "_Bool".to_owned(),
            Rank::Char => "char",
            Rank::Short => "short",
            Rank::Int => "int",
            Rank::Long => "long",
            Rank::LongLong => "long long",
        };
        if self.signed {
            base.to_owned()
        } else {
            format!("unsigned {base}")
        }
    }
}
