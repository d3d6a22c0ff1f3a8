import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export { Counter, Gauge, Histogram, type Registry }

/** The registry of one process; `/metrics` prints it. Modules make their own figures on it. */
export function createMetrics(): Registry {
  const registry = new Registry()
  // Two looks at the event loop a second are enough: the default of a hundred is most of what an idle process does.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 500 })
  return registry
}
