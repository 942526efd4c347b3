// A film that shows nothing, over the whole page and hardly there: browsers keep the screen on for one that plays. A stream
// of a canvas needs no file, and holds in Blink and Gecko at any size; WebKit wants a sound that is not muted too, and gets a
// silent one. By the sources of the three engines; no phone has been asked. An owner's music may pause on an iPhone.

export interface Film {
  readonly playing: boolean;
  /** Must be called during a tap the first time. */
  play(): Promise<void>;
  pause(): void;
  end(): void;
}

const EVERY = 1000; // ms from one picture to the next

/** Makes a film; undefined where the browser cannot. When the browser pauses it, ended is called. */
export function makeFilm(ended: () => void): Film | undefined {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen || typeof canvas.captureStream !== 'function') return undefined;
  const stream = canvas.captureStream();
  const sound = navigator.vendor.startsWith('Apple') ? new AudioContext() : undefined;
  sound?.createMediaStreamDestination().stream.getAudioTracks().forEach((t) => stream.addTrack(t));
  const video = document.createElement('video');
  video.muted = !sound;
  video.playsInline = true;
  video.srcObject = stream;
  video.setAttribute('aria-hidden', 'true');
  video.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;opacity:.01;pointer-events:none';
  document.body.append(video);
  let wanted = false; // it should play
  video.addEventListener('pause', () => wanted && ended());
  const timer = setInterval(() => pen.fillRect(0, 0, 1, 1), EVERY);
  return {
    get playing() {
      return !video.paused;
    },
    async play() {
      wanted = true;
      void sound?.resume();
      await video.play();
    },
    pause() {
      wanted = false;
      video.pause();
    },
    end() {
      wanted = false;
      clearInterval(timer);
      video.remove();
      stream.getTracks().forEach((t) => t.stop());
      void sound?.close();
    },
  };
}
