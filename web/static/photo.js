// From the camera to the reader: the picture is made smaller on the phone, sent, and its page opened.

const LONGEST_PX = 2600;
const form = document.querySelector("[data-photo-form]");
const status = form.querySelector("[data-photo-status]");
const bar = form.querySelector("progress");

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => input.files[0] && go(input.files[0]));
}

async function go(file) {
  say("sending");
  form.classList.add("is-busy");
  const picture = await smaller(file);
  upload(picture);
}

function say(name, value = null) {
  status.textContent = form.dataset[name];
  bar.hidden = false;
  if (value === null) bar.removeAttribute("value");
  else bar.value = value;
}

// A browser that can't do this sends the file as it is.
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const share = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
    if (share === 1 && file.size < 4e6) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * share);
    canvas.height = Math.round(picture.height * share);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((blob) => done(blob || file), "image/jpeg", 0.9));
  } catch {
    return file;
  }
}

function upload(picture) {
  const request = new XMLHttpRequest();
  const asked = new URLSearchParams({ board: form.elements.board ? form.elements.board.value : "" });
  if (form.dataset.into) asked.set("into", form.dataset.into);
  request.open("POST", `/api/photo?${asked}`);
  request.setRequestHeader("X-Makabana", "1");
  request.setRequestHeader("Content-Type", picture.type || "image/jpeg");
  request.upload.addEventListener("progress", (event) => say("sending", event.loaded / event.total));
  request.addEventListener("load", () => answered(request));
  request.addEventListener("error", () => failed(form.dataset.failed));
  request.send(picture);
}

function answered(request) {
  let answer = {};
  try {
    answer = JSON.parse(request.responseText);
  } catch {
    // not from us; told as a failure
  }
  if (request.status === 201) window.location.assign(form.dataset.result?.replace("JOB", answer.job) ?? answer.url);
  else failed(answer.error ? answer.error.text : form.dataset.failed);
}

function failed(text) {
  form.classList.remove("is-busy");
  bar.hidden = true;
  status.textContent = text;
}
