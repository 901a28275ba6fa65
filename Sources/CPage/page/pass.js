// SPDX-License-Identifier: Apache-2.0
// A picture of a boarding pass: made small here, read on the laptop, and the form is filled in. It
// is fetched by whoever chooses one.
'use strict';

// Bytes of a picture that one request holds.
const pictureMost = 49000;

// Grey, and smaller until it fits, in Base64.
async function shrink(file) {
  const whole = await createImageBitmap(file);
  for (let side = 1200; side > 200; side *= 0.8) {
    const scale = Math.min(1, side / Math.max(whole.width, whole.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(whole.width * scale));
    canvas.height = Math.max(1, Math.round(whole.height * scale));
    const pen = canvas.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    // What lets light through is paper.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(whole, 0, 0, canvas.width, canvas.height);
    const picture = pen.getImageData(0, 0, canvas.width, canvas.height), dots = picture.data;
    for (let at = 0; at < dots.length; at += 4) dots[at] = dots[at + 2] = dots[at + 1];
    pen.putImageData(picture, 0, 0);
    for (const quality of [0.8, 0.6, 0.4]) {
      const blob = await new Promise(done => canvas.toBlob(done, 'image/jpeg', quality));
      if (!blob || blob.size > pictureMost) continue;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
    }
  }
  throw new Error('size');
}

// What is found in a picture goes into the field for the seat; whoever sent it looks, and sends the
// form. `flightName` is the flight of the laptop, if it is known.
async function readPass(file, seat, flightName) {
  const none = { code: 'bad-pass' };
  let said;
  try {
    const picture = await shrink(file).catch(() => { throw none; });
    tell(t('pass.reads'));
    for (let tries = 0; !said; tries++) {
      try {
        said = await wire.look('read-pass', { picture });
      } catch (error) {
        // The laptop reads one picture at a time.
        if (error.code !== 'not-now' || tries > 3) throw error;
        await new Promise(next => setTimeout(next, 1500));
      }
    }
  } catch (error) {
    if (error.code === 'bad-pass') tell(t('pass.none'), true);
    else complain(error);
    return;
  }
  const legs = said.legs.filter(leg => leg.flight);
  const leg = legs.find(one => one.flight === flightName) || legs[0] || said.legs[0];
  const other = flightName && leg.flight && leg.flight !== flightName
    ? t('pass.other', { flight: leg.flight }) + ' ' : '';
  if (leg.seat) seat.value = leg.seat;
  tell(other + (leg.seat ? t('pass.seat', { seat: leg.seat }) : t('pass.noseat')), Boolean(other));
}
