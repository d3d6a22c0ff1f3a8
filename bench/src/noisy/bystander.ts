// An unrelated process that takes the same flood: bystander.ts. Prints its address, and runs until it is stopped.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(429, { 'content-length': 4 }).end('null'))
})
// Longer than the pauses of a slow flood.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
