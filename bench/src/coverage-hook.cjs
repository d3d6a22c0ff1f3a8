// Loaded with `--require` by `npm run trace`. Reports which functions of a program (ZONEWRIGHT_COVERAGE_PROGRAM) ran since the last request.
const { writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { Session } = require('node:inspector')
const { isMainThread } = require('node:worker_threads')

const portFile = process.env.ZONEWRIGHT_COVERAGE_PORT_FILE
const program = process.env.ZONEWRIGHT_COVERAGE_PROGRAM
if (isMainThread && portFile && program && (process.argv[1] ?? '').endsWith(program)) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  // Also turns inlining off, because an inlined function would not be counted.
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const server = createServer((_, response) => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      response.statusCode = error ? 500 : 200
      response.end(error ? error.message : JSON.stringify(functionsThatRan(taken.result)))
    })
  })
  server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)))
  server.unref()
}

function functionsThatRan(scripts) {
  return scripts
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [whole] }) => whole.count > 0)
        .map(({ functionName, ranges: [whole] }) => ({ url, name: functionName, at: whole.startOffset })),
    )
}
