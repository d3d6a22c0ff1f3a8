import { parseIpv4, parseIpv6 } from '../address.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { parseName } from '../name.ts'
import type { Words } from '../words.ts'
import type { Field } from './field.ts'

/** A domain name of a type of RFC 1035, compressed in messages. */
export function compressedName(): Field {
  return { ...plainName, embeds: 'compress' }
}

/** A domain name that messages never compress (RFC 3597 §4). */
export function uncompressedName(): Field {
  return { ...plainName, embeds: 'lower' }
}

/** A domain name whose case is kept off the wire, since signatures cover it as it is (RFC 6840 §5.1, RFC 9460). */
export function caseKeepingName(): Field {
  return plainName
}

/** The name of a host. An address instead of it is the commonest mistake of all, and refused. */
export function hostName(embeds: 'compress' | 'lower'): Field {
  return {
    ...plainName,
    embeds,
    parse: (words, out) => {
      const text = words.plain()
      const bare = text.replace(/\.$/, '')
      if (parseIpv4(bare) !== undefined || parseIpv6(bare) !== undefined) {
        throw new DnsFault('bad_rdata', `${quoteInput(text)} is an address, not a name`)
      }
      out.name(nameOf(text, words))
    },
  }
}

const plainName: Field = {
  parse: (words, out) => out.name(nameOf(words.plain(), words)),
  print: (wire) => wire.name(),
  skip: (wire) => wire.skipName(),
}

function nameOf(text: string, words: Words) {
  try {
    return parseName(text, words.origin)
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    throw new DnsFault('bad_rdata', fault.message.replace(/\.$/, ''))
  }
}
