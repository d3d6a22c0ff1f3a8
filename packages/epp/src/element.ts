import { EppFault } from './faults.ts'

/** The name of an element: its namespace and its local name. */
export interface ElementName {
  readonly namespace: string
  readonly name: string
}

/** An XML element as a value. Comments and prefixes are not part of it. */
export interface XmlElement extends ElementName {
  /** The attributes without a namespace. EPP has no others. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text, without the text of its children. */
  readonly text: string
}

/** Names elements of one namespace. */
export function elementsOf(namespace: string): (name: string) => ElementName {
  return (name) => ({ namespace, name })
}

export function isNamed(element: ElementName, { namespace, name }: ElementName): boolean {
  return element.name === name && element.namespace === namespace
}

export function childNamed(element: XmlElement, name: ElementName): XmlElement | undefined {
  return element.children.find((child) => isNamed(child, name))
}

/** The one child element of an element that must have one. Throws EppFault. */
export function onlyChild(element: XmlElement): XmlElement {
  const [child, ...more] = element.children
  if (child === undefined || more.length > 0)
    throw new EppFault('bad_message', `<${element.name}> must have one element in it.`)
  return child
}
