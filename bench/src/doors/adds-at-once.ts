// Sends adds of one rrset all at once: adds-at-once.ts HOST:PORT NAME:SECRET,… ZONE COUNT. Prints how many were accepted as one JSON line.
import { once } from 'node:events'
import { connect } from 'node:net'
import {
  buildMessage,
  FrameReader,
  frame,
  parseName,
  parseRdata,
  RrType,
  TsigSession,
  updateMessage,
} from '@zonewright/dns'
import { hmac, readKeys } from './signing.ts'

const [door = '', keysText = '', zoneText = '', countText = ''] = process.argv.slice(2)
const [host = '', port = ''] = door.split(':')
const zone = parseName(`${zoneText}.`)
const count = Number(countText)
const keys = readKeys(keysText)

const socket = connect({ host, port: Number(port), noDelay: true })
await once(socket, 'connect')
const reader = new FrameReader()
let [answered, added] = [0, 0]
socket.on('data', (chunk: Buffer) => {
  for (const answer of reader.feed(chunk)) {
    answered++
    if (((answer[3] ?? 0) & 15) === 0) added++
  }
  if (answered < count) return
  process.stdout.write(`${JSON.stringify({ added })}\n`)
  socket.destroy()
})
for (let i = 0; i < count; i++) {
  const key = keys[i % keys.length]
  if (key === undefined) throw new Error('adds need a key')
  const owner = parseName(`adds-${keys.length}.${zone}`)
  const data = parseRdata(RrType.A, `10.9.${i >> 8}.${i & 255}`)
  const record = { name: owner, type: RrType.A, ttl: 300, data }
  const update = updateMessage(i, { zone, prerequisites: [], changes: [{ kind: 'add-record', record }] })
  socket.write(frame(new TsigSession(key, hmac).sign(buildMessage(update), Date.now() / 1_000)))
}
