// Loaded into a program that Node watches. Its parent is the watching process, which continues when the process that started it
// (ZONEWRIGHT_PARENT) is killed. It is then ended, and ends the program. A second SIGTERM can end it before it has ended the program.
const parent = Number(process.env.ZONEWRIGHT_PARENT)
const watching = process.ppid

if (require('node:worker_threads').isMainThread)
  setInterval(() => {
    if (process.ppid !== watching) process.exit()
    if (!runs(parent)) process.kill(watching, 'SIGTERM')
  }, 250).unref()

function runs(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}
