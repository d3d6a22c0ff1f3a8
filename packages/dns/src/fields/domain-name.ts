import { parseIpv4, parseIpv6 } from '../address.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { type DomainName, isReverseName, parseName } from '../name.ts'
import { nameInCaseOf } from '../name-case.ts'
import { isDotted } from '../relative-name.ts'
import type { WireWriter } from '../wire-writer.ts'
import type { Words } from '../words.ts'
import type { Field } from './field.ts'

/** A domain name. `Field.embeds` defines its case and whether messages compress it. */
export function domainName(embeds: NonNullable<Field['embeds']>): Field {
  return { ...plainName, embeds, parse: embeds === 'keep' ? parseKept : plainName.parse }
}

/** Domain names up to the end of the data, or none. Messages never compress them. */
export function domainNames(): Field {
  return {
    parse: (words, out) => {
      while (words.left > 0) parseKept(words, out)
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
      write(name, text, embeds === 'keep' && words.reading.keepsCase, out)
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

/** Reads a name whose case signatures cover. */
function parseKept(words: Words, out: WireWriter): void {
  const text = words.plain()
  write(nameOf(text, words), text, words.reading.keepsCase, out)
}

function write(name: DomainName, text: string, keepsCase: boolean | undefined, out: WireWriter): void {
  if (keepsCase) out.bytes(nameInCaseOf(text, name))
  else out.name(name)
}

function nameOf(text: string, words: Words) {
  const { names, dotted } = words.reading
  try {
    const name = parseName(dotted === 'absolute' && isDotted(text) ? `${text}.` : text, words.origin)
    names?.push({ text, name })
    return name
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    throw new DnsFault('bad_rdata', fault.message.replace(/\.$/, ''))
  }
}
