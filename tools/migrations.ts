// `npm run migrations`: adds new migrations to service/migrations/checksums.json, and new release databases to the list of
// system-tests/releases. It never changes an entry. With --check, it only reports where files and lists disagree, and exits with 1 if they do.
import { addToList, checkFrozen, frozenFolders, listName } from './local/frozen-files.ts'

const isCheck = process.argv.includes('--check')
for (const folder of frozenFolders)
  try {
    if (!isCheck)
      for (const file of await addToList(folder)) process.stdout.write(`${folder.name}/${listName}: added ${file}\n`)
    for (const fault of await checkFrozen(folder)) report(fault)
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
  }

function report(fault: string): void {
  process.stderr.write(`${fault}\n`)
  process.exitCode = 1
}
