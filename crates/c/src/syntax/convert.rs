//! Expressions, statements and files of `lang-c` as ours.

use lang_c::ast;
use lang_c::span::Node;

use super::declare::{declaration, function_head, type_name};
use super::literal;
use super::tree::{Binary, Expr, ExprKind, FunctionDef, Item, Step, Stmt, StmtKind, Unary, Unit};
use crate::error::{Outcome, Span};

pub(super) fn span(span: &lang_c::span::Span) -> Span {
    if span.is_none() {
        Span::default()
    } else {
        Span::new(span.start, span.end)
    }
}

pub(super) fn unit(unit: &ast::TranslationUnit) -> Outcome<Unit> {
    let (mut items, mut spans) = (Vec::new(), Vec::new());
    for item in &unit.0 {
        match &item.node {
            ast::ExternalDeclaration::Declaration(node) => {
                items.push(Item::Declare(declaration(node)?))
            }
            ast::ExternalDeclaration::StaticAssert(_) => continue,
            ast::ExternalDeclaration::FunctionDefinition(node) => {
                let (name, ty, span) = function_head(node)?;
                let body = statement(&node.node.statement)?;
                items.push(Item::Function(Box::new(FunctionDef {
                    name,
                    ty,
                    body,
                    span,
                })));
            }
        }
        spans.push(span(&item.span));
    }
    Ok(Unit { items, spans })
}

fn boxed(node: &Node<ast::Expression>) -> Outcome<Box<Expr>> {
    Ok(Box::new(expr(node)?))
}

pub(super) fn expr(node: &Node<ast::Expression>) -> Outcome<Expr> {
    let kind = match &node.node {
        ast::Expression::Identifier(name) => ExprKind::Name(name.node.name.clone()),
        ast::Expression::Constant(constant) => literal::constant(&constant.node),
        ast::Expression::StringLiteral(text) => literal::text(&text.node),
        ast::Expression::Member(member) => {
            let object = expr(&member.node.expression)?;
            let object = match member.node.operator.node {
                ast::MemberOperator::Direct => object,
                ast::MemberOperator::Indirect => {
                    let span = object.span;
                    Expr {
                        kind: ExprKind::Unary(Unary::Deref, Box::new(object)),
                        span,
                    }
                }
            };
            ExprKind::Member(Box::new(object), member.node.identifier.node.name.clone())
        }
        ast::Expression::Call(call) => {
            let args: Outcome<Vec<Expr>> = call.node.arguments.iter().map(expr).collect();
            ExprKind::Call(boxed(&call.node.callee)?, args?)
        }
        ast::Expression::SizeOfTy(ty) => ExprKind::SizeOfType(type_name(&ty.node.0)?),
        ast::Expression::SizeOfVal(e) => ExprKind::SizeOf(boxed(&e.node.0)?),
        ast::Expression::UnaryOperator(unary) => unary_expr(&unary.node)?,
        ast::Expression::Cast(cast) => ExprKind::Cast(
            type_name(&cast.node.type_name)?,
            boxed(&cast.node.expression)?,
        ),
        ast::Expression::BinaryOperator(binary) => binary_expr(&binary.node)?,
        ast::Expression::Conditional(c) => ExprKind::Choose(
            boxed(&c.node.condition)?,
            boxed(&c.node.then_expression)?,
            boxed(&c.node.else_expression)?,
        ),
        ast::Expression::Comma(list) => {
            let list: Outcome<Vec<Expr>> = list.iter().map(expr).collect();
            ExprKind::Comma(list?)
        }
        ast::Expression::Statement(statement_node) => match statement(statement_node)?.kind {
            StmtKind::Block(list) => ExprKind::Block(list),
            _ => ExprKind::Refused("this statement inside an expression"),
        },
        ast::Expression::GenericSelection(_) => ExprKind::Refused("_Generic"),
        ast::Expression::CompoundLiteral(_) => ExprKind::Refused("compound literals"),
        ast::Expression::AlignOf(_) => ExprKind::Refused("_Alignof"),
        ast::Expression::OffsetOf(_) => ExprKind::Refused("offsetof"),
        ast::Expression::VaArg(_) => ExprKind::Refused("variable arguments"),
    };
    Ok(Expr {
        kind,
        span: span(&node.span),
    })
}

fn unary_expr(node: &ast::UnaryOperatorExpression) -> Outcome<ExprKind> {
    use ast::UnaryOperator as Op;
    let operand = boxed(&node.operand)?;
    let step = |before, up, operand| ExprKind::Step(Step { before, up }, operand);
    Ok(match node.operator.node {
        Op::PostIncrement => step(false, true, operand),
        Op::PostDecrement => step(false, false, operand),
        Op::PreIncrement => step(true, true, operand),
        Op::PreDecrement => step(true, false, operand),
        Op::Address => ExprKind::Unary(Unary::Address, operand),
        Op::Indirection => ExprKind::Unary(Unary::Deref, operand),
        Op::Plus => ExprKind::Unary(Unary::Plus, operand),
        Op::Minus => ExprKind::Unary(Unary::Minus, operand),
        Op::Complement => ExprKind::Unary(Unary::Complement, operand),
        Op::Negate => ExprKind::Unary(Unary::Not, operand),
    })
}

fn binary_expr(node: &ast::BinaryOperatorExpression) -> Outcome<ExprKind> {
    use ast::BinaryOperator as Op;
    let (left, right) = (boxed(&node.lhs)?, boxed(&node.rhs)?);
    let plain = |op, left, right| ExprKind::Binary(op, left, right);
    let assign = |op, left, right| ExprKind::Assign(Some(op), left, right);
    Ok(match node.operator.node {
        Op::Index => ExprKind::Index(left, right),
        Op::Multiply => plain(Binary::Mul, left, right),
        Op::Divide => plain(Binary::Div, left, right),
        Op::Modulo => plain(Binary::Rem, left, right),
        Op::Plus => plain(Binary::Add, left, right),
        Op::Minus => plain(Binary::Sub, left, right),
        Op::ShiftLeft => plain(Binary::Shl, left, right),
        Op::ShiftRight => plain(Binary::Shr, left, right),
        Op::Less => plain(Binary::Lt, left, right),
        Op::Greater => plain(Binary::Gt, left, right),
        Op::LessOrEqual => plain(Binary::Le, left, right),
        Op::GreaterOrEqual => plain(Binary::Ge, left, right),
        Op::Equals => plain(Binary::Eq, left, right),
        Op::NotEquals => plain(Binary::Ne, left, right),
        Op::BitwiseAnd => plain(Binary::BitAnd, left, right),
        Op::BitwiseXor => plain(Binary::BitXor, left, right),
        Op::BitwiseOr => plain(Binary::BitOr, left, right),
        Op::LogicalAnd => ExprKind::And(left, right),
        Op::LogicalOr => ExprKind::Or(left, right),
        Op::Assign => ExprKind::Assign(None, left, right),
        Op::AssignMultiply => assign(Binary::Mul, left, right),
        Op::AssignDivide => assign(Binary::Div, left, right),
        Op::AssignModulo => assign(Binary::Rem, left, right),
        Op::AssignPlus => assign(Binary::Add, left, right),
        Op::AssignMinus => assign(Binary::Sub, left, right),
        Op::AssignShiftLeft => assign(Binary::Shl, left, right),
        Op::AssignShiftRight => assign(Binary::Shr, left, right),
        Op::AssignBitwiseAnd => assign(Binary::BitAnd, left, right),
        Op::AssignBitwiseXor => assign(Binary::BitXor, left, right),
        Op::AssignBitwiseOr => assign(Binary::BitOr, left, right),
    })
}

fn block_item(node: &Node<ast::BlockItem>) -> Outcome<Option<Stmt>> {
    Ok(match &node.node {
        ast::BlockItem::Declaration(d) => Some(Stmt {
            kind: StmtKind::Declare(declaration(d)?),
            span: span(&d.span),
        }),
        ast::BlockItem::StaticAssert(_) => None,
        ast::BlockItem::Statement(s) => Some(statement(s)?),
    })
}

fn statement(node: &Node<ast::Statement>) -> Outcome<Stmt> {
    let kind = match &node.node {
        ast::Statement::Labeled(labeled) => {
            let inner = Box::new(statement(&labeled.node.statement)?);
            match &labeled.node.label.node {
                ast::Label::Identifier(name) => StmtKind::Label(name.node.name.clone(), inner),
                ast::Label::Case(e) => StmtKind::Case(expr(e)?, inner),
                ast::Label::CaseRange(_) => StmtKind::Refused("a range of cases"),
                ast::Label::Default => StmtKind::Default(inner),
            }
        }
        ast::Statement::Compound(items) => {
            let mut list = Vec::new();
            for item in items {
                list.extend(block_item(item)?);
            }
            StmtKind::Block(list)
        }
        ast::Statement::Expression(Some(e)) => StmtKind::Expr(expr(e)?),
        ast::Statement::Expression(None) => StmtKind::Empty,
        ast::Statement::If(node) => {
            let otherwise = node
                .node
                .else_statement
                .as_ref()
                .map(|s| statement(s))
                .transpose()?;
            let then = Box::new(statement(&node.node.then_statement)?);
            StmtKind::If(expr(&node.node.condition)?, then, otherwise.map(Box::new))
        }
        ast::Statement::Switch(node) => StmtKind::Switch(
            expr(&node.node.expression)?,
            Box::new(statement(&node.node.statement)?),
        ),
        ast::Statement::While(node) => StmtKind::While(
            expr(&node.node.expression)?,
            Box::new(statement(&node.node.statement)?),
        ),
        ast::Statement::DoWhile(node) => StmtKind::DoWhile(
            Box::new(statement(&node.node.statement)?),
            expr(&node.node.expression)?,
        ),
        ast::Statement::For(node) => for_statement(&node.node)?,
        ast::Statement::Goto(name) => StmtKind::Goto(name.node.name.clone()),
        ast::Statement::Continue => StmtKind::Continue,
        ast::Statement::Break => StmtKind::Break,
        ast::Statement::Return(e) => StmtKind::Return(e.as_ref().map(|e| expr(e)).transpose()?),
        ast::Statement::Asm(_) => StmtKind::Refused("inline assembly"),
    };
    Ok(Stmt {
        kind,
        span: span(&node.span),
    })
}

fn for_statement(node: &ast::ForStatement) -> Outcome<StmtKind> {
    let place = span(&node.initializer.span);
    let init = match &node.initializer.node {
        ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => None,
        ast::ForInitializer::Expression(e) => Some(Stmt {
            kind: StmtKind::Expr(expr(e)?),
            span: place,
        }),
        ast::ForInitializer::Declaration(d) => Some(Stmt {
            kind: StmtKind::Declare(declaration(d)?),
            span: place,
        }),
    };
    let condition = node.condition.as_ref().map(|e| expr(e)).transpose()?;
    let step = node.step.as_ref().map(|e| expr(e)).transpose()?;
    Ok(StmtKind::For(
        init.map(Box::new),
        condition,
        step,
        Box::new(statement(&node.statement)?),
    ))
}
