import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Envelope, type Mail, readMail, withEnvelope } from './read-mail.ts'

/** Older ones go. */
const keptMails = 1_000

/** The mails of a mailbox: a file each, `<number>.eml`, which any mail program opens. */
export class MailFolder {
  readonly #path: string
  /** Oldest first. */
  #mails: Mail[] = []
  #lastNumber = 0

  /** Opens a folder, made when missing, with the mails that are in it. */
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

  /** Keeps a message; it is on disk when this resolves. Rejects what cannot be read as a mail. */
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

  /** Oldest first: those to an address (in any letter case), that came at a time or later. */
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

  /** A mail as it came, below its trace headers. */
  async source({ number }: Mail): Promise<Buffer> {
    return await readFile(this.#file(number))
  }

  /** Deletes all mails. Numbers go on. */
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
