import dpdocs

rows = []
for noise in (dpdocs.Laplace(scale=1), dpdocs.Gaussian(sigma=2)):
    name = type(noise).__name__
    for tenth in range(-80, 101):
        y = tenth / 10
        loss = noise.log_density(y) - noise.log_density(y, centre=2)  # ln p(y) - ln q(y)
        rows.append({"noise": name, "y": y, "loss": round(float(loss), 6)})
    largest = max(row["loss"] for row in rows if row["noise"] == name)
    print(f"{name}: largest loss drawn {largest:g}")

{
    "data": {"values": rows},
    "mark": {"type": "line", "strokeWidth": 2},
    "width": "container",
    "height": 240,
    "encoding": {
        "x": {"field": "y", "type": "quantitative", "title": "output y"},
        "y": {"field": "loss", "type": "quantitative", "title": "privacy loss"},
        "color": {"field": "noise", "legend": {"orient": "bottom", "title": None}},
        "strokeDash": {"field": "noise"},
    },
}
