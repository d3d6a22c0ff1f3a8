import type { Known } from './command-table.ts'
import { elementWith } from './content/content.ts'
import { isNamed, type XmlElement } from './element.ts'

type Table<T> = { readonly [K in keyof T]-?: Known<NonNullable<T[K]>> }

/** The elements that the table contains, by their names in the table. Other elements are ignored. */
export function readKnown<T extends object>(table: Table<T>, elements: readonly XmlElement[]): T {
  const found: Partial<Record<keyof T, unknown>> = {}
  for (const element of elements) {
    const name = nameIn(table, element)
    if (name !== undefined) found[name] = table[name].content.read(element)
  }
  return found as T
}

/** The name of an element in the table. */
export function nameIn<T extends object>(table: Table<T>, element: XmlElement): keyof T | undefined {
  return (Object.keys(table) as (keyof T)[]).find((name) => isNamed(element, table[name].element))
}

/** The elements of the existing members, in the order of the table. */
export function writeKnown<T extends object>(table: Table<T>, values: T): XmlElement[] {
  return (Object.keys(table) as (keyof T)[]).flatMap((name) => {
    const value = values[name]
    return value === undefined || value === null ? [] : [writeOne(table[name], value)]
  })
}

export function writeOne<T>({ element, content }: Known<T>, value: T): XmlElement {
  return elementWith(element, content.write(value))
}
