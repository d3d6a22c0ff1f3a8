import pg from 'pg'
const orig = pg.Pool.prototype.emit
pg.Pool.prototype.emit = function (ev, c, ...r) { if (ev === 'connect') c.on('error', () => {}); return orig.call(this, ev, c, ...r) }
