import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName } from '../../name.ts'
import { parseRdata } from '../../rdata.ts'
import { groupRecords, type Rrset } from '../../rrset.ts'
import { RrType } from '../../type.ts'
import { recordsFrom } from '../../zone-samples.test.ts'
import { validate } from './validate.ts'
import { dsRrset, oldCrypto, questionOf, responseOf } from './validation-samples.test.ts'

/** The responses of RFC 5155 appendix B, with the signatures printed there. Every span of its zone has opt-out. */

const zone = parseName('example.')
const times = '7 2 3600 20150420235959 20051021000000 40430 example.'
const apexTimes = '7 1 3600 20150420235959 20051021000000 40430 example.'

const soa = `@ SOA ns1.example. bugs.x.w.example. 1 3600 300 3600000 3600
@ RRSIG SOA ${apexTimes} Hu25UIyNPmvPIVBrldN+9Mlp9Zql39qaUd8iq4ZLlYWfUUbbAS41pG+68z81q1xhkYAcEyHdVI2LmKusbZsT0Q==
`

/** NSEC3 records with their signatures, by the name that is hashed. */
const nsec3 = {
  example: `0p9mhaveqvm6t7vbl5lop2u3t2rp3tom NSEC3 1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr MX DNSKEY NS SOA NSEC3PARAM RRSIG
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom RRSIG NSEC3 ${times} OSgWSm26B+cS+dDL8b5QrWr/dEWhtCsKlwKLIBHYH6blRxK9rC0bMJPwQ4mLIuw85H2EY762BOCXJZMnpuwhpA==
`,
  ns1: `2t7b4g4vsa5smi47k61mv5bv1a22bojr NSEC3 1 1 12 aabbccdd 2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG
2t7b4g4vsa5smi47k61mv5bv1a22bojr RRSIG NSEC3 ${times} OmBvJ1Vgg1hCKMXHFiNeIYHK9XVW0iLDLwJN4TFoNxZuP03gAXEI634YwOc4YBNITrj413iqNI6mRk/r1dOSUw==
`,
  a: `35mthgpgcu1qg68fab165klnsnk3dpvl NSEC3 1 1 12 aabbccdd b4um86eghhds6nea196smvmlo4ors995 NS DS RRSIG
35mthgpgcu1qg68fab165klnsnk3dpvl RRSIG NSEC3 ${times} g6jPUUpduAJKRljUsN8gB4UagAX0NxY9shwQAynzo8EUWH+z6hEIBlUTPGj15eZll6VhQqgZXtAIR3chwgW+SA==
`,
  'x.w': `b4um86eghhds6nea196smvmlo4ors995 NSEC3 1 1 12 aabbccdd gjeqe526plbf1g8mklp59enfd789njgi MX RRSIG
b4um86eghhds6nea196smvmlo4ors995 RRSIG NSEC3 ${times} ZkPG3M32lmoHM6pa3D6gZFGB/rhL//Bs3Omh5u4m/CUiwtblEVOaAKKZd7S959OeiX43aLX3pOv0TSTyiTxIZg==
`,
  'y.w': `ji6neoaepv8b5o6k4ev33abha8ht9fgc NSEC3 1 1 12 aabbccdd k8udemvp1j2f7eg6jebps17vp3n8i58h
ji6neoaepv8b5o6k4ev33abha8ht9fgc RRSIG NSEC3 ${times} gPkFp1s2QDQ6wQzcg1uSebZ61W33rUBDcTj72F3kQ490fEdp7k1BUIfbcZtPbX3YCpE+sIt0MpzVSKfTwx4uYA==
`,
  w: `k8udemvp1j2f7eg6jebps17vp3n8i58h NSEC3 1 1 12 aabbccdd kohar7mbb8dc2ce8a9qvl8hon4k53uhi
k8udemvp1j2f7eg6jebps17vp3n8i58h RRSIG NSEC3 ${times} FtXGbvF0+wf8iWkyo73enAuVx03klN+pILBKS6qCcftVtfH4yVzsEZquJ27NHR7ruxJWDNMtOtx7w9WfcIg62A==
`,
  ns2: `q04jkcevqvmu85r014c7dkba38o0ji5r NSEC3 1 1 12 aabbccdd r53bq7cc2uvmubfu5ocmm6pers9tk9en A RRSIG
q04jkcevqvmu85r014c7dkba38o0ji5r RRSIG NSEC3 ${times} hV5I89b+4FHJDATp09g4bbN0R1F845CaXpL3ZxlMKimoPAyqletMlEWwLfFia7sdpSzn+ZlNNlkxWcLsIlMmUg==
`,
  '*.w': `r53bq7cc2uvmubfu5ocmm6pers9tk9en NSEC3 1 1 12 aabbccdd t644ebqk9bibcna874givr6joj62mlhv MX RRSIG
r53bq7cc2uvmubfu5ocmm6pers9tk9en RRSIG NSEC3 ${times} aupviViruXs4bDg9rCbezzBMf9h1ZlDvbW/CZFKulIGXXLj8B/fsDJarXVDA9bnUoRhEbKp+HF1FWKW7RIJdtQ==
`,
}

const wildcard = `a.z.w MX 1 ai.example.
a.z.w RRSIG MX ${times} CikebjQwGQPwijVcxgcZcSJKtfynugtlBiKb9FcBTrmOoyQ4InoWVudhCWsh/URX3lc4WRUMivEBP6+4KS3ldA==
`

const keys = `@ DNSKEY 256 3 7 AwEAAaetidLzsKWUt4swWR8yu0wPHPiUi8LUsAD0QPWU+wzt89epO6tHzkMBVDkC7qphQO2hTY4hHn9npWFRw5BYubE=
@ DNSKEY 257 3 7 AwEAAcUlFV1vhmqx6NSOUOq2R/dsR7Xm3upJj7IommWSpJABVfW8Q0rOvXdM6kzt+TAu92L9AbsUdblMFin8CVF3n4s=
@ RRSIG DNSKEY 7 1 3600 20150420235959 20051021000000 12708 example. AuU4juU9RaxescSmStrQks3Gh9FblGBlVU31uzMZ/U/FpsUb8aC6QZS+sTsJXnLnz7flGOsmMGQZf3bH+QsCtg==
`
const ksk = parseRdata(
  RrType.DNSKEY,
  '257 3 7 AwEAAcUlFV1vhmqx6NSOUOq2R/dsR7Xm3upJj7IommWSpJABVfW8Q0rOvXdM6kzt+TAu92L9AbsUdblMFin8CVF3n4s=',
)

const rrsets = (text: string): Rrset[] => groupRecords(recordsFrom(`$TTL 3600\n${text}`, zone))

/** The verdict, and the DS records that were queried; `authorities` also deny those. */
async function verdictOf(name: string, type: string, rcode: number, authorities: string, answers = '') {
  const question = questionOf(name, type)
  const response = responseOf(question, { rcode, answers: rrsets(answers), authorities: rrsets(authorities) })
  const asked: string[] = []
  const ask = async (about: string, of: RrType) => {
    if (of === RrType.DNSKEY) return responseOf(questionOf(about, 'DNSKEY'), { answers: rrsets(keys) })
    asked.push(about)
    return responseOf(questionOf(about, 'DS'), { authorities: rrsets(nsec3.a + nsec3.example) })
  }
  const unixSeconds = Date.UTC(2012, 3, 20) / 1000
  const { status } = await validate(question, response, {
    anchors: [dsRrset(zone, ksk)],
    ask,
    crypto: oldCrypto,
    unixSeconds,
  })
  return { status, asked }
}

const insecure = { status: 'insecure', asked: [] }
const secure = { status: 'secure', asked: [] }
const bogus = { status: 'bogus', asked: [] }

test('B.1: the name is in an opt-out span, so its absence is not secure (RFC 5155 §9.2)', async () => {
  const proof = soa + nsec3.example + nsec3['x.w'] + nsec3.a
  assert.deepEqual(await verdictOf('a.c.x.w.example.', 'A', 3, proof), insecure)
  // The last part, about the wildcard, makes no difference: a name above may be an unsigned delegation.
  for (const part of [nsec3.example, nsec3['x.w']])
    assert.deepEqual(await verdictOf('a.c.x.w.example.', 'A', 3, proof.replace(part, '')), bogus)
})

test('B.2: the name exists without the type', async () => {
  assert.deepEqual(await verdictOf('ns1.example.', 'MX', 0, soa + nsec3.ns1), secure)
  assert.deepEqual(await verdictOf('ns1.example.', 'A', 0, soa + nsec3.ns1), bogus)
  assert.deepEqual(await verdictOf('ns2.example.', 'MX', 0, soa + nsec3.ns1), bogus)
})

test('B.2.1: an empty non-terminal has no type', async () => {
  assert.deepEqual(await verdictOf('y.w.example.', 'A', 0, soa + nsec3['y.w']), secure)
})

test('B.3: an unsigned delegation in an opt-out span is insecure', async () => {
  const below = 'mc.c MX 50 mx.c.example.\n'
  assert.deepEqual(await verdictOf('mc.c.example.', 'MX', 0, '', below), { status: 'insecure', asked: ['c.example.'] })
  assert.deepEqual(await verdictOf('c.example.', 'DS', 0, nsec3.a + nsec3.example), insecure)
})

test('B.4: a name closer than the wildcard would be in an opt-out span', async () => {
  const ns = '@ NS ns1.example.\n@ NS ns2.example.\n'
  assert.deepEqual(await verdictOf('a.z.w.example.', 'MX', 0, ns + nsec3.ns2, wildcard), insecure)
  assert.deepEqual(await verdictOf('a.z.w.example.', 'MX', 0, ns, wildcard), bogus)
  assert.deepEqual(await verdictOf('a.z.w.example.', 'MX', 0, nsec3.ns1, wildcard), bogus)
})

test('B.5: the wildcard does not have the type, and a closer name would be in an opt-out span', async () => {
  const proof = soa + nsec3.w + nsec3.ns2 + nsec3['*.w']
  assert.deepEqual(await verdictOf('a.z.w.example.', 'AAAA', 0, proof), insecure)
  assert.deepEqual(await verdictOf('a.z.w.example.', 'AAAA', 0, soa + nsec3.w + nsec3['*.w']), bogus)
  assert.deepEqual(await verdictOf('a.z.w.example.', 'AAAA', 0, soa + nsec3.ns2 + nsec3['*.w']), bogus)
})

test('B.6: the child zone does not know its own DS records', async () => {
  assert.deepEqual(await verdictOf('example.', 'DS', 0, soa + nsec3.example), { status: 'indeterminate', asked: [] })
})
