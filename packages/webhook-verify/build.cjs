'use strict'
// Builds dist/: JavaScript and type declarations, with the project's own TypeScript. `npm pack` runs it first.
const { execFileSync } = require('node:child_process')
const { rmSync } = require('node:fs')

// A file that has been renamed since the last build must not be packed.
rmSync('dist', { recursive: true, force: true })
// npm puts the workspace's programs on the PATH; on Windows they are scripts, which need a shell.
execFileSync('tsc', ['-p', 'tsconfig.dist.json'], { stdio: 'inherit', shell: process.platform === 'win32' })
