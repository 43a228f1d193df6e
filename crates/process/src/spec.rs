//! What to start and how to talk to it.

use std::ffi::OsString;

use crate::Limits;

/// How a child is kept from leaving processes behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Containment {
    /// Any command: started below a guard that adopts and kills whatever the command starts.
    Guarded,
    /// Our own executable, which calls [`crate::shim::enter_worker`] first: no guard. What it
    /// starts stays in its process group and dies with it ([`crate::shim::contained`]).
    Worker,
    /// A command that starts a process elsewhere and connects its streams (`srun`, `ssh`): it is asked
    /// to end before it is killed, so that it can end what it started.
    Launcher,
}

/// What a child reads from its standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Nothing.
    Null,
    /// What [`crate::Supervisor::send_line`] sends.
    Piped,
    /// These bytes.
    Bytes(Vec<u8>),
}

/// What becomes of a child's output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Each line is an event.
    Lines,
    /// Beginning and end are kept, at most this many bytes together.
    Capture(usize),
    /// Thrown away.
    Discard,
}

/// Bytes of output kept unless told otherwise.
pub(crate) const CAPTURE_DEFAULT: usize = 1 << 20;

/// A child to start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The program: a path, or a name looked up in `PATH`. Unused for workers.
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) containment: Containment,
    pub(crate) input: Input,
    pub(crate) output: [Output; 2],
    pub(crate) limits: Limits,
    pub(crate) address_space: Option<u64>,
}

impl Spec {
    fn new(program: OsString, containment: Containment) -> Self {
        Spec {
            program,
            arguments: Vec::new(),
            containment,
            input: Input::Null,
            output: [Output::Capture(CAPTURE_DEFAULT); 2],
            limits: Limits::none(),
            address_space: None,
        }
    }

    /// Any command with its arguments, guarded; output captured, no input.
    pub fn command<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Spec::new(program.into(), Containment::Guarded).arguments(arguments)
    }

    /// Our own executable with these arguments; output captured, no input.
    pub fn worker<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Self {
        Spec::new(OsString::new(), Containment::Worker).arguments(arguments)
    }

    /// A command that starts a process on another machine and connects its standard streams, with its
    /// arguments; output captured, no input. It is ended by SIGTERM, and by SIGKILL after two seconds;
    /// what runs elsewhere must end when its input does, and its memory is not counted.
    pub fn remote<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Spec::new(program.into(), Containment::Launcher).arguments(arguments)
    }

    /// The same with further arguments.
    pub fn arguments<A: Into<OsString>>(mut self, more: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(more.into_iter().map(Into::into));
        self
    }

    /// The same with an input pipe for [`crate::Supervisor::send_line`].
    pub fn piped(self) -> Self {
        self.input(Input::Piped)
    }

    /// The same with this input.
    pub fn input(mut self, input: Input) -> Self {
        self.input = input;
        self
    }

    /// The same with each line of standard output an event.
    pub fn lines(self) -> Self {
        self.stdout(Output::Lines)
    }

    /// The same with this treatment of standard output.
    pub fn stdout(mut self, output: Output) -> Self {
        self.output[0] = output;
        self
    }

    /// The same with this treatment of standard error.
    pub fn stderr(mut self, output: Output) -> Self {
        self.output[1] = output;
        self
    }

    /// The same with limits of its own, counted from its start.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with a limit on each process's address space, in bytes, which the kernel enforces:
    /// allocations beyond it fail. Only for guarded commands.
    pub fn address_space(mut self, bytes: u64) -> Self {
        self.address_space = Some(bytes);
        self
    }
}
