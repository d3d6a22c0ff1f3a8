// `npm run drills`: faults and restarts that take longer than a test may. The parts run one after the other; a part that exceeds its time limit has
// failed. docs/reference/drills.md shows the result of each before the change that it tests.
//
// With arguments: only the parts whose name has one of these words, such as `npm run drills -- nameserver`.
import { drillParts } from './local/drill-parts.ts'
import { runGates } from './local/gates.ts'

const words = process.argv.slice(2)
const chosen = drillParts.filter(({ proves }) => words.length === 0 || words.some((word) => proves.includes(word)))
if (chosen.length === 0) {
  const names = drillParts.map(({ proves }) => `  ${proves}\n`)
  process.stderr.write(`No part has one of these words in its name. The parts are:\n${names.join('')}`)
  process.exit(1)
}
await runGates(chosen.map((part) => [part]))
