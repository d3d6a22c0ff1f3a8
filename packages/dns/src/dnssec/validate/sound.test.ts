import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dnssecCrypto } from '../../../node/dnssec-crypto.ts'
import { DnsFault } from '../../faults.ts'
import { lookup } from '../../lookup.ts'
import type { Message, Question, WireRecord } from '../../message.ts'
import { RrType } from '../../type.ts'
import { questionText, questionTypes, zoneText } from '../random-zones.test.ts'
import { followAliases } from './alias-chain.ts'
import { signedRrsets } from './signed-rrset.ts'
import { hashedZone, questionOf, type SampleZone, signedZone, World } from './validation-samples.test.ts'

const kinds: readonly (readonly [string, (text: string) => SampleZone])[] = [
  ['NSEC', (text) => signedZone('example.', text)],
  ['NSEC3', (text) => hashedZone('example.', text)],
  ['NSEC3 with opt-out', (text) => hashedZone('example.', text, { flags: 1 })],
]
const nameOf = (relative: string): string => (relative === '' ? 'example.' : `${relative}.example.`)

/** The meaning of a response: the last name of its aliases, and the data at this name. */
function claimOf({ questions: [question], answers, authorities, rcode }: Message): string {
  const { name, type } = question ?? assert.fail()
  const { end, asked, isAlias } = followAliases(signedRrsets(answers), name, type)
  if (asked !== undefined) return `${end} has ${asked.data.map((data) => Buffer.from(data).toString('hex'))}`
  const isDenied = rcode !== 0 || authorities.some((record) => record.type === RrType.SOA)
  return isAlias && !isDenied ? 'an alias' : `${end} has nothing, code ${rcode}`
}

/** What a true response to a question may say. */
function factsOf(world: World, question: Question): string[] {
  const { name, type } = question
  const right = world.respond(question)
  const facts = [claimOf(right)]
  // Any rrset of the name answers ANY (RFC 8482 §4.1).
  if (type === RrType.ANY) for (const each of questionTypes) facts.push(...factsOf(world, questionOf(name, each)))
  // A validator follows a DNAME without the CNAME that comes from it, so the name that it leads to may answer as well.
  const byDname = signedRrsets(right.answers).filter((rrset) => rrset.type === RrType.DNAME)
  const { end } = followAliases(byDname, name, type)
  if (type === RrType.CNAME && end !== name) facts.push(...factsOf(world, { ...question, name: end }))
  return facts
}

for (const [kind, zoneFrom] of kinds) {
  test(`with ${kind}, every response of a signed zone is secure, or insecure where there is opt-out`, async () => {
    await fc.assert(
      fc.asyncProperty(zoneText, fc.array(questionText, { minLength: 1, maxLength: 10 }), async (text, questions) => {
        const sample = zoneFrom(text)
        const world = new World([sample])
        for (const [relative, type] of questions) {
          const [name, { zone }] = [nameOf(relative), sample]
          const { name: asked, type: of } = questionOf(name, type)
          if (lookup(zone, asked, of).kind === 'referral' || name === 'example.') continue
          const verdict = await world.verdict(name, type)
          const allowed = kind.includes('opt-out') ? ['secure', 'insecure'] : ['secure']
          assert.ok(allowed.includes(verdict.status), `${name} ${type}: ${verdict.reason}`)
        }
      }),
      { numRuns: 60 },
    )
  })

  test(`with ${kind}, no response that says anything other than the zone is secure`, async () => {
    await fc.assert(
      fc.asyncProperty(
        zoneText,
        fc.array(questionText, { minLength: 2, maxLength: 6 }),
        fc.array(fc.nat({ max: 40 }), { maxLength: 4 }),
        fc.constantFrom(0, 3),
        async (text, questions, dropped, rcode) => {
          const sample = zoneFrom(text)
          const world = new World([sample])
          const responses = questions.map(([relative, type]) => world.respond(questionOf(nameOf(relative), type)))
          for (const [relative, type] of questions) {
            const name = nameOf(relative)
            const question = questionOf(name, type)
            const truth = lookup(sample.zone, question.name, question.type, dnssecCrypto.sha1)
            if (truth.kind === 'referral' || name === 'example.') continue
            const facts = factsOf(world, question)
            for (const other of responses) {
              // The records of the response to another question without some of them, and the records of all denials.
              const drop = (records: readonly WireRecord[]) => records.filter((_, i) => !dropped.includes(i))
              const forged: Message = {
                ...other,
                rcode: dropped.length > 0 ? rcode : other.rcode,
                questions: [question],
                answers: drop(other.answers),
                authorities: drop([...other.authorities, ...responses.flatMap(({ authorities }) => authorities)]),
              }
              const change = (message: Message): Message =>
                message.questions[0]?.name === question.name && message.questions[0].type === question.type
                  ? forged
                  : message
              const verdict = await world.verdict(name, type, { change })
              if (verdict.status !== 'secure') continue
              const claim = claimOf(forged)
              if (claim === 'an alias') continue
              assert.ok(
                facts.includes(claim),
                `${name} ${type}: "${claim}" is not in "${facts.join('", "')}": ${verdict.reason}`,
              )
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })
}

/** All bits except that of letter case, because the signer's name may be in upper case. */
const otherBits = fc.integer({ min: 1, max: 255 }).filter((bits) => bits !== 0x20)

test('a response is not secure if any byte of an answer or of a signature was changed', async () => {
  const world = new World([signedZone('example.', 'www A 192.0.2.1\nwww TXT "text"\n')])
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('A', 'TXT', 'MX'), fc.nat(), otherBits, async (type, place, flip) => {
      const change = (message: Message): Message => {
        if (message.questions[0]?.type === RrType.DNSKEY) return message
        const records = [...message.answers, ...message.authorities]
        const at = place % records.length
        const edit = (record: WireRecord, i: number): WireRecord => {
          if (i !== at) return record
          const byte = (place * 7) % record.data.length
          return { ...record, data: record.data.map((each, j) => (j === byte ? each ^ flip : each)) }
        }
        return {
          ...message,
          answers: message.answers.map(edit),
          authorities: message.authorities.map((record, i) => edit(record, i + message.answers.length)),
        }
      }
      let verdict: Awaited<ReturnType<World['verdict']>>
      try {
        verdict = await world.verdict('www.example.', type, { change })
      } catch (fault) {
        // A message with such data cannot be parsed.
        if (fault instanceof DnsFault) return
        throw fault
      }
      assert.notEqual(verdict.status, 'secure')
    }),
    { numRuns: 300 },
  )
})
