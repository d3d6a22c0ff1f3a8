import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes files of the repository, by path; with `--check`, names those that differ instead, and exits with 1. `command` writes them. */
export function writeOrCheck(files: Readonly<Record<string, string>>, command: string): void {
  for (const [file, text] of Object.entries(files)) {
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url))
    if (!process.argv.includes('--check')) writeFileSync(path, text)
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${file} is out of date. Run \`${command}\` and review the difference.\n`)
      process.exitCode = 1
    }
  }
}
