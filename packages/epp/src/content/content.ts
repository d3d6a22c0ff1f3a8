import { childNamed, type ElementName, isNamed, type XmlElement } from '../element.ts'
import { EppFault } from '../faults.ts'
import type { Scalar } from './scalar.ts'

/** The content of an element: attributes, elements, text. */
export interface Inner {
  readonly attributes?: Readonly<Record<string, string>>
  readonly children?: readonly XmlElement[]
  readonly text?: string
}

/**
 * Reads and writes one kind of element. The result of `write` is valid according to the schema; otherwise it throws EppFault `bad_value`. `read`
 * throws `bad_message` if something that it needs is missing, and ignores unknown content, such as additions of registries.
 */
export interface Content<T> {
  readonly read: (element: XmlElement) => T
  readonly write: (value: T) => Inner
}

/** One member of the value of an element. */
export interface Part<T> {
  readonly read: (element: XmlElement) => T
  readonly write: (value: T) => Inner
}

/** The parts of a value, in the order that the schema requires. Optional members have optional parts. */
type PartsOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Part<Required<T>[K] | undefined> : Part<T[K]>
}

/** An element that consists of parts. */
export function content<T extends object>(parts: PartsOf<T>): Content<T> {
  const entries = Object.entries(parts) as [keyof T & string, Part<unknown>][]
  return {
    read: (element) => {
      const value: Record<string, unknown> = {}
      for (const [member, part] of entries) {
        const found = part.read(element)
        if (found !== undefined) value[member] = found
      }
      return value as T
    },
    write: (value) => together(entries.map(([member, part]) => part.write(value[member]))),
  }
}

function together(inners: readonly Inner[]): Inner {
  return {
    attributes: Object.assign({}, ...inners.map(({ attributes }) => attributes)),
    children: inners.flatMap(({ children }) => children ?? []),
    text: inners.map(({ text }) => text ?? '').join(''),
  }
}

/** An element that contains only text. */
export function text<T>(scalar: Scalar<T>): Content<T> {
  return {
    read: (element) => parsed(element, scalar, element.text),
    write: (value) => ({ text: scalar.format(value) }),
  }
}

/** The text of an element that also has attributes. */
export function ownText<T>(scalar: Scalar<T>): Part<T> {
  return text(scalar)
}

export function attribute<T>(name: string, scalar: Scalar<T>): Part<T> {
  return {
    read: (element) => {
      const value = element.attributes[name]
      if (value === undefined) throw new EppFault('bad_message', `<${element.name}> lacks the attribute ${name}.`)
      return parsed(element, scalar, value)
    },
    write: (value) => ({ attributes: { [name]: scalar.format(value) } }),
  }
}

export function optionalAttribute<T>(name: string, scalar: Scalar<T>): Part<T | undefined> {
  return optional(attribute(name, scalar), (element) => element.attributes[name] !== undefined)
}

/** An attribute with a default value. The default is not written. */
export function attributeOr<T extends string | number | boolean>(name: string, scalar: Scalar<T>, usual: T): Part<T> {
  const part = optionalAttribute(name, scalar)
  return {
    read: (element) => part.read(element) ?? usual,
    write: (value) => part.write(value === usual ? undefined : value),
  }
}

/** A required element. */
export function child<T>(name: ElementName, inside: Content<T>): Part<T> {
  return {
    read: (element) => {
      const found = childNamed(element, name)
      if (found === undefined) throw new EppFault('bad_message', `<${element.name}> lacks <${name.name}>.`)
      return inside.read(found)
    },
    write: (value) => ({ children: [elementWith(name, inside.write(value))] }),
  }
}

export function optionalChild<T>(name: ElementName, inside: Content<T>): Part<T | undefined> {
  return optional(child(name, inside), (element) => childNamed(element, name) !== undefined)
}

/** An element that may be repeated. The bounds apply to writing. */
export function children<T>(
  name: ElementName,
  inside: Content<T>,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number } = {},
): Part<readonly T[]> {
  return {
    read: (element) => element.children.filter((each) => isNamed(each, name)).map(inside.read),
    write: (values) => {
      if (values.length < min || values.length > max)
        throw new EppFault('bad_value', `<${name.name}> cannot be sent ${values.length} times.`)
      return { children: values.map((value) => elementWith(name, inside.write(value))) }
    },
  }
}

/** An empty element whose presence means true. */
export function flag(name: ElementName): Part<boolean> {
  return {
    read: (element) => childNamed(element, name) !== undefined,
    write: (value) => ({ children: value ? [elementWith(name, {})] : [] }),
  }
}

export function elementWith({ namespace, name }: ElementName, inner: Inner): XmlElement {
  return { namespace, name, attributes: inner.attributes ?? {}, children: inner.children ?? [], text: inner.text ?? '' }
}

function optional<T>(part: Part<T>, isThere: (element: XmlElement) => boolean): Part<T | undefined> {
  return {
    read: (element) => (isThere(element) ? part.read(element) : undefined),
    write: (value) => (value === undefined ? {} : part.write(value)),
  }
}

function parsed<T>(element: XmlElement, scalar: Scalar<T>, value: string): T {
  const found = scalar.parse(value)
  if (found === undefined) throw new EppFault('bad_message', `<${element.name}> contains an invalid value.`)
  return found
}
