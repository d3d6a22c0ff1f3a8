// Loaded into a program that Node watches. Its parent is the watching process, which goes on when the process that started it
// (ZONEWRIGHT_PARENT) was killed: it is ended then, and ends the program.
const parent = Number(process.env.ZONEWRIGHT_PARENT)

if (require('node:worker_threads').isMainThread)
  setInterval(() => {
    if (!runs(parent)) process.kill(process.ppid, 'SIGTERM')
  }, 250).unref()

function runs(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}
