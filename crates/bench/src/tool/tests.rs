//! Tests of command templates and answer readers.

use super::*;

fn captured(text: &str) -> Captured {
    Captured {
        head: text.as_bytes().to_vec(),
        ..Captured::default()
    }
}

fn read(reader: &dyn AnswerReader, status: Status, out: &str, err: &str) -> Answer {
    let (stdout, stderr) = (captured(out), captured(err));
    reader.read(&Finished {
        format: Format::Horn,
        status,
        stdout: &stdout,
        stderr: &stderr,
    })
}

#[test]
fn templates_are_filled() {
    let tool = Tool::parse("z3=z3 -T:{timeout} 'a b' {file} fp.engine=spacer").unwrap();
    assert_eq!(tool.name, "z3");
    let words = tool.command("x y.smt2", Duration::from_secs(20));
    assert_eq!(
        words,
        ["z3", "-T:20", "a b", "x y.smt2", "fp.engine=spacer"]
    );
    assert_eq!(
        tool.template(),
        "z3 -T:{timeout} 'a b' {file} fp.engine=spacer"
    );
    let bare = Tool::parse("/opt/bin/golem --logic QF_LIA").unwrap();
    assert_eq!(bare.name, "golem");
    assert_eq!(
        bare.command("f", Duration::from_millis(1)),
        ["/opt/bin/golem", "--logic", "QF_LIA", "f"]
    );
    let assigned = Tool::parse("z3 fp.x=1").unwrap();
    assert_eq!((assigned.name.as_str(), assigned.words.len()), ("z3", 2));
    assert!(Tool::parse("").is_err() && Tool::parse("a='b").is_err() && Tool::parse("a=").is_err());
}

#[test]
fn plain_answers_are_read() {
    let plain = |status, out: &str| read(&PlainReader, status, out, "");
    let ok = Status::Code(0);
    assert_eq!(
        plain(ok, "sat\n(define-fun p () Bool true)\n").verdict,
        VerdictKind::Safe
    );
    assert_eq!(
        plain(Status::Code(1), "unsat\n(error \"no model\")\n").verdict,
        VerdictKind::Unsafe
    );
    let reason = |answer: Answer| {
        assert_eq!(answer.verdict, VerdictKind::Unknown);
        answer.reason.unwrap()
    };
    assert_eq!(reason(plain(ok, "sat\nunsat\n")), "conflicting answers");
    assert_eq!(reason(plain(ok, "unknown\n")), "tool says unknown");
    assert_eq!(reason(plain(ok, "unknown (memory)\n")), "memory");
    assert_eq!(reason(plain(ok, "")), "no output");
    assert_eq!(
        reason(plain(ok, "\u{0}\u{7f}saturn\n")),
        "no verdict in output"
    );
    assert_eq!(reason(plain(Status::Code(3), "")), "exit code 3");
    assert_eq!(
        reason(plain(Status::Signal(11), "sat\n")),
        "crash (signal 11)"
    );
    assert_eq!(
        reason(plain(ok, "(error \"line 1\")\n")),
        "error: (error \"line 1\")"
    );
}

#[test]
fn our_own_answers_need_their_exit_code() {
    let own = |code, out: &str| read(&OwnReader, Status::Code(code), out, "");
    assert_eq!(own(0, "sat\n").certificate, Certificate::Checked);
    assert_eq!(own(10, "unsat\n").verdict, VerdictKind::Unsafe);
    assert_eq!(own(0, "unsat\n").verdict, VerdictKind::Unknown);
    assert_eq!(own(20, "unknown (timeout)\n").reason.unwrap(), "timeout");
    let failed = own(20, "unknown (certificate: clause 3 does not hold)\n");
    assert_eq!(
        (failed.verdict, failed.certificate),
        (VerdictKind::Unknown, Certificate::Failed)
    );
}
