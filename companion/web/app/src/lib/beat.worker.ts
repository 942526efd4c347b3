// The clock of beat.ts.
self.setInterval(() => self.postMessage(0), 7500);
