(function () {
  "use strict";
  var specs = JSON.parse(document.getElementById("chart-specs").textContent);
  var views = {};
  function pick(number, focus) {
    document.querySelectorAll("[data-point-panel]").forEach(function (panel) {
      panel.hidden = panel.getAttribute("data-point-panel") !== String(number);
      if (!panel.hidden && focus) { panel.focus(); }
    });
    document.querySelectorAll("button.pick").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-point") === String(number)));
    });
    if (views.frontier) { views.frontier.signal("picked", Number(number)).runAsync(); }
  }
  document.querySelectorAll("button.pick").forEach(function (button) {
    button.addEventListener("click", function () { pick(button.getAttribute("data-point"), true); });
  });
  var drawn = Object.keys(specs).map(function (name) {
    var place = document.getElementById("chart-" + name);
    if (!place) { return null; }
    return vegaEmbed(place, specs[name], { actions: false, renderer: "svg" }).then(function (result) {
      views[name] = result.view;
      if (name === "frontier") {
        result.view.addEventListener("click", function (event, item) {
          if (item && item.datum && item.datum.point) { pick(item.datum.point, false); }
        });
      }
    });
  });
  Promise.all(drawn).then(function () { document.documentElement.setAttribute("data-ready", "yes"); });
})();
