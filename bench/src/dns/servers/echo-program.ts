// The floor: returns each UDP packet unchanged, except for the bit that makes it an answer. echo-program.ts PORT
import { Datagrams, slotAt } from '../../../../nameserver/src/doors/fast/datagrams.ts'
import { openLibc } from '../../../../nameserver/src/doors/fast/libc.ts'
import { UdpSocket } from '../../../../nameserver/src/doors/fast/udp-socket.ts'

const libc = openLibc()
const { descriptor } = UdpSocket.open(libc, { host: '127.0.0.1', port: Number(process.argv[2]) })
const datagrams = new Datagrams(libc)
for (;;) {
  const count = datagrams.receive(descriptor)
  for (let index = 0; index < count; index++) {
    // An authoritative answer without records.
    datagrams.view.setUint8(slotAt(index) + 2, 0x84)
    datagrams.setLength(index, datagrams.lengthOf(index))
  }
  datagrams.send(descriptor, 0, count)
  datagrams.reset(Math.max(count, 0))
}
