import { resolve } from 'node:path'

/** The folder of an installation's secrets, and of the embedded database. */
export function dataDirOf({ DATA_DIR = './data' }: { readonly DATA_DIR?: string | undefined }): string {
  return resolve(DATA_DIR)
}
