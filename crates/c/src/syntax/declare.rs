//! Declarations of `lang-c` as ours: specifiers, declarators, initialisers.

use lang_c::ast;
use lang_c::span::Node;

use super::convert::{expr, span};
use super::tree::{
    Base, Declared, Derived, Designator, Init, Member, Param, Size, Storage, TypeName,
};
use crate::error::{Code, Outcome, Span, Trouble};

#[derive(Default)]
struct Specifiers {
    words: Vec<ast::TypeSpecifier>,
    storage: Option<Storage>,
    refused: Option<&'static str>,
}

impl Specifiers {
    fn qualifier(&mut self, qualifier: &ast::TypeQualifier) {
        match qualifier {
            ast::TypeQualifier::Volatile => self.refused = Some("volatile"),
            ast::TypeQualifier::Atomic => self.refused = Some("_Atomic"),
            _ => {}
        }
    }

    fn base(&self) -> Outcome<Base> {
        if let Some(what) = self.refused {
            return Ok(Base::Refused(what));
        }
        let (mut unsigned, mut longs, mut size, mut other) = (false, 0u8, None, None);
        for word in &self.words {
            match word {
                ast::TypeSpecifier::Unsigned => unsigned = true,
                ast::TypeSpecifier::Signed | ast::TypeSpecifier::Int => {}
                ast::TypeSpecifier::Char => size = Some(Size::Char),
                ast::TypeSpecifier::Short => size = Some(Size::Short),
                ast::TypeSpecifier::Long => longs += 1,
                word => other = Some(named(word)?),
            }
        }
        if let Some(base) = other {
            return Ok(base);
        }
        let size = match (size, longs) {
            (Some(size), _) => size,
            (None, 0) => Size::Int,
            (None, 1) => Size::Long,
            (None, _) => Size::LongLong,
        };
        Ok(Base::Integer { unsigned, size })
    }
}

fn named(word: &ast::TypeSpecifier) -> Outcome<Base> {
    Ok(match word {
        ast::TypeSpecifier::Void => Base::Void,
        ast::TypeSpecifier::Bool => Base::Bool,
        ast::TypeSpecifier::Float
        | ast::TypeSpecifier::Double
        | ast::TypeSpecifier::TS18661Float(_) => Base::Float,
        ast::TypeSpecifier::Struct(node) => structure(&node.node)?,
        ast::TypeSpecifier::Enum(node) => {
            let mut constants = Vec::new();
            for item in &node.node.enumerators {
                let value = item.node.expression.as_ref().map(|e| expr(e)).transpose()?;
                constants.push((
                    item.node.identifier.node.name.clone(),
                    value,
                    span(&item.span),
                ));
            }
            Base::Enum(constants)
        }
        ast::TypeSpecifier::TypedefName(name) => Base::Named(name.node.name.clone()),
        ast::TypeSpecifier::TypeOf(node) => match &node.node {
            ast::TypeOf::Expression(e) => Base::TypeOf(Box::new(expr(e)?)),
            ast::TypeOf::Type(_) => Base::Refused("typeof of a type"),
        },
        ast::TypeSpecifier::Complex => Base::Float,
        _ => Base::Refused("_Atomic"),
    })
}

fn structure(node: &ast::StructType) -> Outcome<Base> {
    if node.kind.node == ast::StructKind::Union {
        return Ok(Base::Refused("union"));
    }
    let tag = node.identifier.as_ref().map(|n| n.node.name.clone());
    let Some(fields) = &node.declarations else {
        return Ok(Base::Struct(tag, None));
    };
    let mut members = Vec::new();
    for field in fields {
        let ast::StructDeclaration::Field(field) = &field.node else {
            continue;
        };
        let base = qualified(&field.node.specifiers)?;
        for item in &field.node.declarators {
            if item.node.bit_width.is_some() {
                return Ok(Base::Refused("bit-field"));
            }
            let Some(declarator) = &item.node.declarator else {
                return Ok(Base::Refused("struct member without a name"));
            };
            let (name, derived) = declarator_parts(declarator)?;
            let ty = TypeName {
                base: base.clone(),
                derived,
                span: span(&item.span),
            };
            members.push(Member {
                name: name.unwrap_or_default(),
                ty,
            });
        }
    }
    Ok(Base::Struct(tag, Some(members)))
}

fn qualified(list: &[Node<ast::SpecifierQualifier>]) -> Outcome<Base> {
    let mut specifiers = Specifiers::default();
    for item in list {
        match &item.node {
            ast::SpecifierQualifier::TypeSpecifier(word) => {
                specifiers.words.push(word.node.clone())
            }
            ast::SpecifierQualifier::TypeQualifier(q) => specifiers.qualifier(&q.node),
            ast::SpecifierQualifier::Extension(_) => {}
        }
    }
    specifiers.base()
}

fn declaration_specifiers(list: &[Node<ast::DeclarationSpecifier>]) -> Outcome<(Base, Storage)> {
    let mut specifiers = Specifiers::default();
    for item in list {
        match &item.node {
            ast::DeclarationSpecifier::StorageClass(class) => match class.node {
                ast::StorageClassSpecifier::Typedef => specifiers.storage = Some(Storage::Typedef),
                ast::StorageClassSpecifier::Extern => specifiers.storage = Some(Storage::Extern),
                ast::StorageClassSpecifier::Static => specifiers.storage = Some(Storage::Static),
                ast::StorageClassSpecifier::ThreadLocal => {
                    specifiers.refused = Some("_Thread_local")
                }
                ast::StorageClassSpecifier::Auto | ast::StorageClassSpecifier::Register => {}
            },
            ast::DeclarationSpecifier::TypeSpecifier(word) => {
                specifiers.words.push(word.node.clone())
            }
            ast::DeclarationSpecifier::TypeQualifier(q) => specifiers.qualifier(&q.node),
            _ => {}
        }
    }
    let storage = specifiers.storage.unwrap_or(Storage::Plain);
    Ok((specifiers.base()?, storage))
}

/// The name of a declarator and its derivations, the outermost first.
fn declarator_parts(node: &Node<ast::Declarator>) -> Outcome<(Option<String>, Vec<Derived>)> {
    // `int *a[3]`: the list of the parser is [Array, Pointer] in our order once pointers, which stand
    // in front of the name and bind less, come after what stands behind it.
    let mut behind = Vec::new();
    let mut pointers = Vec::new();
    for item in &node.node.derived {
        match &item.node {
            ast::DerivedDeclarator::Pointer(_) => pointers.push(Derived::Pointer),
            ast::DerivedDeclarator::Array(array) => {
                let size = match &array.node.size {
                    ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => {
                        Some(Box::new(expr(e)?))
                    }
                    _ => None,
                };
                behind.push(Derived::Array(size));
            }
            ast::DerivedDeclarator::Function(f) => behind.push(Derived::Function(parameters(f)?)),
            ast::DerivedDeclarator::KRFunction(names) if names.is_empty() => {
                behind.push(Derived::Function(Vec::new()));
            }
            _ => {
                let message = "unsupported: this kind of declarator (old-style parameters, blocks)";
                return Err(Trouble::new(Code::Type, span(&item.span), message));
            }
        }
    }
    pointers.reverse();
    behind.extend(pointers);
    match &node.node.kind.node {
        ast::DeclaratorKind::Abstract => Ok((None, behind)),
        ast::DeclaratorKind::Identifier(name) => Ok((Some(name.node.name.clone()), behind)),
        ast::DeclaratorKind::Declarator(inner) => {
            let (name, mut derived) = declarator_parts(inner)?;
            derived.extend(behind);
            Ok((name, derived))
        }
    }
}

fn parameters(node: &Node<ast::FunctionDeclarator>) -> Outcome<Vec<Param>> {
    let mut params = Vec::new();
    for item in &node.node.parameters {
        let (base, _) = declaration_specifiers(&item.node.specifiers)?;
        let (name, derived) = match &item.node.declarator {
            Some(declarator) => declarator_parts(declarator)?,
            None => (None, Vec::new()),
        };
        params.push(Param {
            name,
            ty: TypeName {
                base,
                derived,
                span: span(&item.span),
            },
        });
    }
    let nothing =
        |p: &Param| p.name.is_none() && p.ty.derived.is_empty() && matches!(p.ty.base, Base::Void);
    if params.len() == 1 && nothing(&params[0]) {
        params.clear();
    }
    Ok(params)
}

pub(super) fn type_name(node: &Node<ast::TypeName>) -> Outcome<TypeName> {
    let base = qualified(&node.node.specifiers)?;
    let derived = match &node.node.declarator {
        Some(declarator) => declarator_parts(declarator)?.1,
        None => Vec::new(),
    };
    Ok(TypeName {
        base,
        derived,
        span: span(&node.span),
    })
}

pub(super) fn declaration(node: &Node<ast::Declaration>) -> Outcome<Vec<Declared>> {
    let (base, storage) = declaration_specifiers(&node.node.specifiers)?;
    if node.node.declarators.is_empty() {
        let ty = TypeName {
            base,
            derived: Vec::new(),
            span: span(&node.span),
        };
        return Ok(vec![Declared {
            name: String::new(),
            ty,
            storage,
            init: None,
            span: span(&node.span),
        }]);
    }
    let mut out = Vec::new();
    for item in &node.node.declarators {
        let (name, derived) = declarator_parts(&item.node.declarator)?;
        let ty = TypeName {
            base: base.clone(),
            derived,
            span: span(&item.span),
        };
        let init = item
            .node
            .initializer
            .as_ref()
            .map(initializer)
            .transpose()?;
        let name = name.unwrap_or_default();
        out.push(Declared {
            name,
            ty,
            storage,
            init,
            span: span(&item.span),
        });
    }
    Ok(out)
}

/// The name and the type of a function definition.
pub(super) fn function_head(
    node: &Node<ast::FunctionDefinition>,
) -> Outcome<(String, TypeName, Span)> {
    let (base, _) = declaration_specifiers(&node.node.specifiers)?;
    let (name, derived) = declarator_parts(&node.node.declarator)?;
    let span = span(&node.node.declarator.span);
    if !node.node.declarations.is_empty() {
        return Err(Trouble::new(
            Code::Type,
            span,
            "unsupported: old-style parameters",
        ));
    }
    Ok((
        name.unwrap_or_default(),
        TypeName {
            base,
            derived,
            span,
        },
        span,
    ))
}

fn initializer(node: &Node<ast::Initializer>) -> Outcome<Init> {
    match &node.node {
        ast::Initializer::Expression(e) => Ok(Init::Value(expr(e)?)),
        ast::Initializer::List(items) => {
            let mut out = Vec::new();
            for item in items {
                let mut path = Vec::new();
                for designator in &item.node.designation {
                    path.push(match &designator.node {
                        ast::Designator::Index(e) => Designator::Index(expr(e)?),
                        ast::Designator::Member(name) => Designator::Member(name.node.name.clone()),
                        ast::Designator::Range(_) => Designator::Range,
                    });
                }
                out.push((path, initializer(&item.node.initializer)?));
            }
            Ok(Init::List(out, span(&node.span)))
        }
    }
}
