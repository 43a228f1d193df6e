//! `foretell --in`: a conversation in SMT-LIB on standard input and output.

use std::io::{self, Read};

use foretell_driver::conversation::{Command, Conversation, Reply, Splitter, Wishes};
use foretell_driver::{Error, Request};
use foretell_process::end_with_client;

use crate::arguments::CheckArguments;
use crate::check_command;
use crate::exit::Exit;
use crate::quiet::Quiet;
use crate::streams::{answer, notice};

/// Talks until the input ends, the other side says `exit`, or nobody listens any more.
pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    end_with_client();
    let prepare = |bytes: Vec<u8>, wishes: &Wishes| prepare(arguments, bytes, wishes);
    let mut conversation = Conversation::new(&prepare);
    let mut splitter = Splitter::default();
    let mut quiet = Quiet { arguments };
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = match io::stdin().lock().read(&mut buffer) {
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                notice(&format!("error: cannot read standard input: {error}"));
                return Exit::Usage;
            }
        };
        let commands: Vec<Command> = match n {
            0 => splitter.rest().into_iter().collect(),
            _ => splitter.feed(&buffer[..n]),
        };
        for command in commands {
            match conversation.say(command, &mut quiet) {
                Reply::Ends => return say(&conversation.end()).unwrap_or(Exit::Safe),
                Reply::Says(text) => {
                    if let Some(exit) = say(&text) {
                        return exit;
                    }
                }
            }
        }
        if n == 0 {
            return say(&conversation.end()).unwrap_or(Exit::Safe);
        }
    }
}

/// Prints what there is to print; how to end when nobody listens any more.
fn say(text: &str) -> Option<Exit> {
    (!text.is_empty() && answer(text).is_err()).then_some(Exit::Internal)
}

/// The request for a text, with what was asked for in the conversation.
fn prepare(arguments: &CheckArguments, bytes: Vec<u8>, wishes: &Wishes) -> Result<Request, Error> {
    let mut request = check_command::prepare(arguments, bytes).map_err(Error::Usage)?;
    request.limits.wall = wishes.timeout.or(request.limits.wall);
    request.common.model = true;
    request
        .common
        .settings
        .extend(wishes.settings.iter().cloned());
    Ok(request)
}
