import { Pool } from 'undici'
import { readFileSync } from 'node:fs'
const key = readFileSync('/tmp/w1/key','utf8').trim()
const zones = Number(process.argv[2] ?? 1), seconds = Number(process.argv[3] ?? 5), clients = 32
const pool = new Pool('http://127.0.0.1:8080', { connections: clients })
let n = 0, bad = 0; const end = Date.now() + seconds*1000; const lat: number[] = []
await Promise.all(Array.from({length: clients}, async (_, c) => {
  let i = 0
  while (Date.now() < end) {
    const z = `z${Math.floor(Math.random()*zones)}.example`
    const t = performance.now()
    const r = await pool.request({ method:'PUT', path:`/api/v1/zones/${z}/rrsets/c${c}-${i++ % 50}/A`, headers:{authorization:`Bearer ${key}`,'content-type':'application/json'}, body: JSON.stringify({ttl:300, records:[`10.${c}.${Math.floor(Math.random()*250)}.${i%250}`]}) })
    const b = await r.body.text(); lat.push(performance.now()-t)
    if (r.statusCode >= 300) { bad++; if (bad < 3) console.log(b) } else n++
  }
}))
lat.sort((a,b)=>a-b)
console.log(`${(n/seconds).toFixed(0)}/s bad ${bad} p50 ${lat[lat.length>>1]!.toFixed(1)} p99 ${lat[Math.floor(lat.length*.99)]!.toFixed(1)}`)
process.exit(0)
