import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rootOf, unpackPackages } from './debian-programs.ts'

/**
 * The PERL5LIB with which the machine's perl finds Net::EPP: empty where it is installed. Otherwise Debian's package is
 * unpacked into the folder.
 *
 * @throws ProgramsMissing
 */
export function perlModules(folder: string): string {
  const finds = (path: string): boolean =>
    spawnSync('perl', ['-MNet::EPP::Simple', '-e', '1'], { stdio: 'ignore', env: { ...process.env, PERL5LIB: path } })
      .status === 0
  if (finds('')) return ''
  if (!finds(pathIn(folder))) unpackPackages(['libnet-epp-perl'], folder)
  return pathIn(folder)
}

/** Where Debian's packages have modules: those in Perl alone, and compiled ones by machine and version. */
function pathIn(folder: string): string {
  const libraries = join(rootOf(folder), 'usr/lib')
  const machines = existsSync(libraries) ? readdirSync(libraries).map((name) => join(libraries, name, 'perl5')) : []
  const compiled = machines
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place).map((version) => join(place, version)))
  return [join(rootOf(folder), 'usr/share/perl5'), ...compiled].join(delimiter)
}
