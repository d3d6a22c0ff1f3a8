import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Envelope, type Mail, readMail, withEnvelope } from './read-mail.ts'

/** Older messages are deleted. */
const keptMails = 1_000

/** The emails of a mailbox, one file each, `<number>.eml`, which any mail program can open. */
export class MailFolder {
  readonly #path: string
  /** Oldest first. */
  #mails: Mail[] = []
  #lastNumber = 0

  /** Opens a folder with its messages. Creates it if it is missing. */
  static async open(path: string): Promise<MailFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const folder = new MailFolder(path)
    for (const number of await numbersIn(path)) {
      folder.#mails.push(await readMail(number, await readFile(folder.#file(number))))
      folder.#lastNumber = number
    }
    return folder
  }

  private constructor(path: string) {
    this.#path = path
  }

  /** Stores a message, which is on disk when this resolves. Rejects if it cannot be parsed as a message. */
  async keep(envelope: Envelope, message: Buffer): Promise<Mail> {
    const source = withEnvelope(envelope, message)
    this.#lastNumber += 1
    const mail = await readMail(this.#lastNumber, source)
    const file = this.#file(mail.number)
    await writeFile(`${file}.new`, source, { mode: 0o600 })
    await rename(`${file}.new`, file)
    this.#mails.push(mail)
    this.#mails.sort((a, b) => a.number - b.number)
    for (const { number } of this.#mails.splice(0, this.#mails.length - keptMails)) await this.#remove(number)
    return mail
  }

  /** The messages to an address (in any letter case) since a time, oldest first. */
  list({ to, since }: { to?: string | undefined; since?: Date | undefined } = {}): Mail[] {
    const address = to?.toLowerCase()
    return this.#mails.filter(
      (mail) =>
        (address === undefined || mail.to.some((each) => each.toLowerCase() === address)) &&
        (since === undefined || new Date(mail.at) >= since),
    )
  }

  one(number: number): Mail | undefined {
    return this.#mails.find((mail) => mail.number === number)
  }

  /** A message as received, without its trace headers. */
  async source({ number }: Mail): Promise<Buffer> {
    return await readFile(this.#file(number))
  }

  /** Deletes all messages. Numbering continues. */
  async clear(): Promise<void> {
    for (const { number } of this.#mails.splice(0)) await this.#remove(number)
  }

  #file(number: number): string {
    return join(this.#path, `${String(number).padStart(6, '0')}.eml`)
  }

  async #remove(number: number): Promise<void> {
    await rm(this.#file(number), { force: true })
  }
}

async function numbersIn(path: string): Promise<number[]> {
  const numbers = (await readdir(path)).flatMap((name) => /^(\d{6,})\.eml$/.exec(name)?.[1] ?? [])
  return numbers.map(Number).sort((a, b) => a - b)
}
