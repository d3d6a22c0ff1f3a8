import { parseIpv4, parseIpv6 } from '../address.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { type DomainName, isReverseName, parseName } from '../name.ts'
import { isDotted } from '../relative-name.ts'
import type { Words } from '../words.ts'
import type { Field } from './field.ts'

/** A domain name. `Field.embeds` defines its case and whether messages compress it. */
export function domainName(embeds: NonNullable<Field['embeds']>): Field {
  return { ...plainName, embeds }
}

/** Domain names up to the end of the data, or none. Messages never compress them. */
export function domainNames(): Field {
  return {
    parse: (words, out) => {
      while (words.left > 0) plainName.parse(words, out)
    },
    print: (wire) => {
      const names: string[] = []
      while (wire.left > 0) names.push(wire.name())
      return names.join(' ')
    },
    skip: (wire) => {
      while (wire.left > 0) wire.skipName()
    },
    names: (wire) => {
      const names: DomainName[] = []
      while (wire.left > 0) names.push(wire.name())
      return names
    },
  }
}

/** The name of a host. An address instead of a name is the most common mistake, and is refused except in the reverse zones. */
export function hostName(embeds: NonNullable<Field['embeds']>): Field {
  return {
    ...plainName,
    embeds,
    parse: (words, out) => {
      const text = words.plain()
      const name = nameOf(text, words)
      if (isAddress(text.endsWith('.') ? text.slice(0, -1) : text) && !isReverseName(name)) {
        throw new DnsFault('bad_rdata', `${quoteInput(text)} is an address, not a name`)
      }
      out.name(name)
    },
  }
}

function isAddress(text: string): boolean {
  return parseIpv4(text) !== undefined || (text.includes(':') && parseIpv6(text) !== undefined)
}

const plainName: Field = {
  parse: (words, out) => out.name(nameOf(words.plain(), words)),
  print: (wire) => wire.name(),
  skip: (wire) => wire.skipName(),
}

function nameOf(text: string, words: Words) {
  try {
    const name = parseName(words.isDottedAbsolute && isDotted(text) ? `${text}.` : text, words.origin)
    words.names?.push({ text, name })
    return name
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    throw new DnsFault('bad_rdata', fault.message.replace(/\.$/, ''))
  }
}
