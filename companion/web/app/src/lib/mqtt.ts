// MQTT.js as the link's client.
import mqtt from 'mqtt';
import type { Client, Connect } from './link.svelte';

/**
 * Opens one connection and never a second: coming back is the link's business.
 * Keep-alive runs in a worker (timerVariant auto), because a hidden tab's own
 * timers are slowed to one a minute.
 */
export const connect: Connect = ({ url, clientId, username, password }) =>
  mqtt.connect(url, {
    protocolVersion: 4,
    clean: true,
    clientId,
    username,
    password,
    keepalive: 15,
    connectTimeout: 5000,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  }) as unknown as Client;
